# arm64: everything that is C, cross-compiled, and the unit tests under qemu's user emulation. A target of its own, not part of make test:
# it needs a cross compiler, and the emulation takes minutes.

ARM64 := $(BUILD)/arm64
ARM64_CC ?= aarch64-linux-gnu-gcc
# qemu keeps a byte for each page that a program reserves, and fills it in: 4 GiB of device addresses in place of 64.
ARM64_CFLAGS := '-DGPU_GLOBAL_SPAN=UINT64_C(0x100000000)'
ARM64_TARGETS := $(ARM64)/bin/warpgrind $(ARM64)/bin/warpschool $(ARM64)/bin/warpcc $(CUDART_NAMES:%=$(ARM64)/lib/%) \
                 $(UNIT_TESTS:$(BUILD)/%=$(ARM64)/%)

.PHONY: test-arm64 build-arm64
test-arm64:
	@BUILD=$(BUILD) CC='$(ARM64_CC)' bash tests/arm64/run.sh
build-arm64:
	@mkdir -p $(BUILD)
	@$(MAKE) --no-print-directory BUILD=$(ARM64) CC='$(ARM64_CC)' CFLAGS="$(ARM64_CFLAGS)" $(ARM64_TARGETS) > $(BUILD)/arm64.log 2>&1 || { tail -n 40 $(BUILD)/arm64.log; exit 1; }
