/* picture_findings.c - the findings of a picture's launch, and the blocks that they are about; see
 * picture_parts.h. */
#include "device/record/picture_parts.h"

#include "base/minmax.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t linear_of(GpuDim at, GpuDim extent) {
    return at.x + (uint64_t)extent.x * (at.y + (uint64_t)extent.y * at.z);
}

static void add_party(Text *out, const char *key, const CheckParty *party, GpuDim extent) {
    text_format(out, ",\"%s\":{\"line\":%d,\"what\":", key, MAX(party->place.line, 0));
    picture_add_word(out, party->what);
    if (party->has_thread) {
        text_format(out, ",\"thread\":%" PRIu64 ",", linear_of(party->thread, extent));
        picture_add_dim(out, "block", party->block);
    }
    text_add(out, "}");
}

static PictureCount count_of(const CheckFinding *finding) {
    if (finding->severity == FINDING_NOTE) return PICTURE_NOTES;
    return PICTURE_ERRORS;
}

static bool is_of_launch(const Picture *picture, const CheckFinding *finding) {
    return picture->recording && picture->launch != NULL && finding->kernel != NULL;
}

void picture_found_again(void *self, const CheckFinding *finding) {
    Picture *picture = self;
    if (is_of_launch(picture, finding)) picture->found_again[count_of(finding)]++;
}

/** The blocks of a new finding are marked in the grid. */
static void mark_blocks(Picture *picture, const CheckFinding *finding) {
    const GpuDim grid = picture->launch->spec.grid;
    const CheckParty *party = &finding->party, *other = &finding->other;
    const uint64_t block = linear_of(party->block, grid), another = linear_of(other->block, grid);
    if (party->has_thread) picture_grid_add(picture->grid, block, count_of(finding), 1);
    if (other->has_thread && (!party->has_thread || another != block))
        picture_grid_add(picture->grid, another, count_of(finding), 1);
}

/** What lacks an order is known when the later of the two has run. */
static void note_unordered(Picture *picture) {
    picture->has_unordered = picture->recording;
    if (picture->just_kept && picture->worth == WORTH_LAUNCH) picture->worth = WORTH_UNORDERED;
}

/** A finding of the launch that is being recorded. Observers that check hear of an access before this one
 * does, so the finding waits in `pending` for the step that it is about. */
void picture_found(void *self, const CheckFinding *finding) {
    Picture *picture = self;
    if (finding->work != 0 && finding->severity == FINDING_ERROR) note_unordered(picture);
    if (!is_of_launch(picture, finding)) return;
    mark_blocks(picture, finding);
    if (picture->finding_count == PICTURE_FINDINGS) return;
    Text *out = &picture->findings;
    GpuDim extent = picture->launch->spec.block;
    text_add(out, picture->finding_count > 0 ? ",\n{\"kind\":" : "{\"kind\":");
    picture_add_word(out, finding_info(finding->kind)->name);
    text_format(out,
                ",\"severity\":\"%s\",\"message\":", finding->severity == FINDING_NOTE ? "note" : "error");
    picture_add_word(out, finding->message);
    text_add(out, ",\"explanation\":");
    picture_add_word(out, finding->explanation);
    add_party(out, "party", &finding->party, extent);
    add_party(out, "other", &finding->other, extent);
    text_add(out, ",\"array\":");
    picture_add_word(out, finding->array.name);
    text_format(out, ",\"index\":%" PRId64 "}", finding->array.index);
    if (finding->severity != FINDING_NOTE) picture->has_error = true;
    size_t length = strlen(picture->pending);
    if (length + 8 < sizeof picture->pending)
        snprintf(picture->pending + length, sizeof picture->pending - length, ",%u", picture->finding_count);
    picture->finding_count++;
}
