# warpcc: the program, and the headers beside it (copied: what a sandbox must show is then only $(BUILD)).

WARPCC := $(BUILD)/bin/warpcc
CUDA_HEADERS := $(patsubst warpgrind/include/%,$(BUILD)/include/%,$(shell find warpgrind/include -type f))
PRECOMPILED := $(BUILD)/include/precompiled/.made
# Debian's libcu++, where it is installed, in clang's words.
LIBCUDACXX := $(if $(wildcard /usr/include/cuda/std/chrono),$(BUILD)/include/libcudacxx/overlay.yaml)
ALL_TARGETS += $(LIBCUDACXX) $(WARPCC) $(CUDA_HEADERS) $(PRECOMPILED)

$(WARPCC): $(call objects,$(call sources,warpgrind/warpcc)) $(BUILD)/lib/libbase.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $^

$(BUILD)/include/%: warpgrind/include/%
	@mkdir -p $(@D)
	cp $< $@

$(BUILD)/include/libcudacxx/overlay.yaml: warpgrind/warpcc/libcudacxx.sh /usr/include/cuda/std/chrono
	warpgrind/warpcc/libcudacxx.sh /usr/include/cuda $(@D)

# Only a speed-up: warpcc does without where it cannot be made.
$(PRECOMPILED): $(WARPCC) $(CUDA_HEADERS) $(LIBCUDACXX) $(wildcard /usr/include/cub/cub.cuh)
	@mkdir -p $(@D)
	-$(WARPCC) --precompile
	@touch $@

.PHONY: warpcc
warpcc: $(WARPCC) $(CUDA_HEADERS) $(LIBCUDACXX) $(PRECOMPILED)
