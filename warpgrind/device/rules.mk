# device: the program warpgrind. All but main.c is a library too, for the tests.

DEVICE_LIB := $(BUILD)/lib/libdevice.a
WARPGRIND := $(BUILD)/bin/warpgrind
DEVICE_LIBS := $(DEVICE_LIB) $(CHECK_LIB) $(GPU_LIB) $(PTX_LIB) $(BUILD)/lib/libbase.a
DEVICE_SYSTEM_LIBS := $(JSON_LIBS) -ldw -lelf -lseccomp -lzstd -llz4 -lm
ALL_TARGETS += $(WARPGRIND)

$(DEVICE_LIB): $(call objects,$(filter-out %/main.c,$(call sources,warpgrind/device)))

$(WARPGRIND): $(BUILD)/obj/warpgrind/device/main.o $(DEVICE_LIBS)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(DEVICE_SYSTEM_LIBS)

.PHONY: warpgrind
warpgrind: $(WARPGRIND) $(CUDART_LIBS)

TEST_LIBS_device := $(DEVICE_LIBS) $(DEVICE_SYSTEM_LIBS)

# Fuzzing of what a hostile program may send: make fuzz-messages fuzz-fatbin [FUZZ_SECONDS=60]. Needs clang with libFuzzer.
FUZZ_SECONDS ?= 60
FUZZ_CC ?= clang-14
DEVICE_FUZZ_SOURCES = $(filter-out %/main.c,$(wildcard warpgrind/device/*.c)) $(wildcard warpgrind/check/*.c warpgrind/ptx/*.c base/*.c)

.PHONY: fuzz-messages fuzz-fatbin
fuzz-messages fuzz-fatbin: fuzz-%: $(GPU_LIB)
	@mkdir -p $(BUILD)/fuzz/$*
	$(FUZZ_CC) -std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=fuzzer,address,undefined $(INCLUDES) -Wno-everything -o $(BUILD)/fuzz/fuzz_$* \
	    tests/fuzz/fuzz_$*.c $(DEVICE_FUZZ_SOURCES) $(GPU_LIB) $(DEVICE_SYSTEM_LIBS) -pthread
	$(BUILD)/fuzz/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=4096 -timeout=20 $(BUILD)/fuzz/$* tests/fuzz/corpus-$*
