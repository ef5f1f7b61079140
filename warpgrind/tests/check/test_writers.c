/* test_writers.c - who wrote memory last, which the race detector's records tell when a launch is over. */
#include "fake_gpu.h"

#include "check/races/races.h"
#include "check/races/writers.h"

/* Who wrote what is known without the search for races, and nobody hears of barriers for that. */
static void without_detection_no_order_is_kept(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    assert_non_null(races_observer(gpu->check).barrier);
    gpu->check->races->detect = false;
    const GpuObserver observer = races_observer(gpu->check);
    assert_non_null(observer.host_write);
    assert_null(observer.barrier);
    assert_null(observer.warp_sync);
    assert_null(observer.fence);
    fake_destroy(gpu);
}

/* A worker hands over who wrote, of the pages that it changed. */
static void ranges_hand_over_who_wrote(void **state) {
    (void)state;
    static GpuRange range;
    uint64_t read, written;
    Gpu *gpus[2];
    for (unsigned i = 0; i < 2; i++) {
        gpus[i] = fake_create();
        read = fake_alloc(gpus[i], 4096, 7);
        written = fake_alloc(gpus[i], 4096, 8);
        fake_launch(gpus[i], 2, 32, 30);
    }
    fake_access(gpus[1], (FakeAccess){.pc = 11, .address = written + 512, .kind = GPU_WRITE, .stride = 4});
    races_range_begin(gpus[0]->check);
    fake_access(gpus[0], (FakeAccess){.pc = 12, .address = read, .stride = 4});
    fake_access(gpus[0], (FakeAccess){.pc = 13, .address = written, .kind = GPU_WRITE, .stride = 4});
    range = (GpuRange){.page_count = 2};
    range.pages[0] = (GpuRangePage){.offset = read - GPU_GLOBAL_BASE, .read = {UINT32_MAX}};
    range.pages[1] =
        (GpuRangePage){.offset = written - GPU_GLOBAL_BASE, .written = {UINT32_MAX}, .changed = true};
    races_range_put(gpus[0]->check, &range);
    races_range_take(gpus[1]->check, &range);
    assert_int_equal(range.taken, range.put);
    LoggedWriter writers[4];
    assert_int_equal(writers_list(gpus[1]->check, written, 1024, writers, 4), 4);
    static const int lines[] = {13, 0, 11, 0};
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(writers[i].place.line, lines[i]);
    assert_int_equal(writers[2].offset, 512);
    fake_destroy(gpus[0]);
    fake_destroy(gpus[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_detection_no_order_is_kept),
        cmocka_unit_test(ranges_hand_over_who_wrote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
