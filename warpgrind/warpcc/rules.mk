# warpcc: the program, and the headers beside it (copied: what a sandbox must show is then only $(BUILD)).

WARPCC := $(BUILD)/bin/warpcc
CUDA_HEADERS := $(patsubst warpgrind/include/%,$(BUILD)/include/%,$(shell find warpgrind/include -type f))
PRECOMPILED := $(BUILD)/include/precompiled/.made
ALL_TARGETS += $(WARPCC) $(CUDA_HEADERS) $(PRECOMPILED)

$(WARPCC): $(call objects,$(call sources,warpgrind/warpcc)) $(BUILD)/lib/libbase.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $^

$(BUILD)/include/%: warpgrind/include/%
	@mkdir -p $(@D)
	cp $< $@

# Only a speed-up: warpcc does without where it cannot be made.
$(PRECOMPILED): $(WARPCC) $(CUDA_HEADERS)
	@mkdir -p $(@D)
	-$(WARPCC) --precompile
	@touch $@

.PHONY: warpcc
warpcc: $(WARPCC) $(CUDA_HEADERS) $(PRECOMPILED)
