# warpcc: the program, and the headers beside it (copied: what a sandbox must show is then only $(BUILD)).

WARPCC := $(BUILD)/bin/warpcc
CUDA_HEADERS := $(patsubst include/%,$(BUILD)/include/%,$(shell find include -type f))
PRECOMPILED := $(BUILD)/include/precompiled/.made
# Debian's libcu++, where it is installed, in clang's words.
LIBCUDACXX := $(if $(wildcard /usr/include/cuda/std/chrono),$(BUILD)/include/libcudacxx/overlay.yaml)
# Debian's CUB, which tells of its calls.
LIBCUB := $(if $(wildcard /usr/include/cub/version.cuh),$(BUILD)/include/libcub/overlay.yaml)
CUDA_HEADERS += $(BUILD)/include/cuda_old_names.h $(BUILD)/include/curand_xorwow_jumps.h
ALL_TARGETS += $(LIBCUDACXX) $(LIBCUB) $(WARPCC) $(CUDA_HEADERS) $(PRECOMPILED)

# What warpcc makes is made anew when its own files change; an edit in base, which only helps it, need not cost half a minute.
WARPCC_PARTS := $(call objects,$(call sources,warpcc))
$(WARPCC): $(WARPCC_PARTS) $(BUILD)/lib/libbase.a $(SOURCES_LIST)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $(filter-out $(SOURCES_LIST),$^)

# What is loaded into clang, so that one start of it serves two compilations.
ONE_START := $(BUILD)/lib/libwarpcc_one_start.so
ALL_TARGETS += $(ONE_START)
$(OBJ)/warpcc/preload/%.o: warpcc/preload/%.c
	$(call compile,$(PLAIN_FLAGS) -fvisibility=hidden)
$(ONE_START): $(OBJ)/warpcc/preload/one_start.o
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -shared -o $@ $^ -ldl

# A header that is gone goes from the copy as well. The list has names within the folder, which may be named in several ways.
HEADERS_LIST := $(BUILD)/gen/headers.txt
HEADER_NAMES = $(sort $(CUDA_HEADERS:$(BUILD)/include/%=%))
$(HEADERS_LIST): FORCE
	@[ ! -e $@ ] || printf '%s\n' $(HEADER_NAMES) | LC_ALL=C comm -13 - $@ | sed 's,^,$(BUILD)/include/,' | xargs -r rm -f
	$(call write_if_new,printf '%s\n' $(HEADER_NAMES))

$(BUILD)/include/%: include/%
	@mkdir -p $(@D)
	cp $< $@

# Tables that our own code computes.
$(BUILD)/bin/tables/%: $(OBJ)/warpcc/tables/%.o
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $<
$(BUILD)/include/curand_xorwow_jumps.h: $(BUILD)/bin/tables/xorwow_jumps
	@mkdir -p $(@D)
	$< >$@.tmp && mv $@.tmp $@

# The rows of the table as attributes.
$(BUILD)/include/cuda_old_names.h: include/cuda_old_names.def
	@mkdir -p $(@D)
	{ echo '/* cuda_old_names.h - made of cuda_old_names.def. */'; sed -nE \
	    -e 's/^CUDA_OLD_NAME\(([^,]+), ([0-9]+), ([0-9.]+), "(.*)"\)/#define __WARPGRIND_OLD_\1 __WARPGRIND_GONE_\2("CUDA \2 removed this. Use \4 (since CUDA \3)")/p' \
	    -e 's/^CUDA_NEW_NAME\(([^,]+), ([0-9]+)\)/#define __WARPGRIND_NEW_\1 __WARPGRIND_CAME_\2("it came with CUDA \2")/p' $<; } >$@

$(BUILD)/include/libcudacxx/overlay.yaml: warpcc/libcudacxx.sh /usr/include/cuda/std/chrono
	warpcc/libcudacxx.sh /usr/include/cuda $(@D)
$(BUILD)/include/libcub/overlay.yaml: warpcc/cub.sh /usr/include/cub/version.cuh
	warpcc/cub.sh /usr/include/cub $(@D)

# A header is precompiled for one clang, and warpcc takes the newest: it may have come since. It is so for one folder, too, whose names are in it:
# in a tree that was copied, clang refuses it once the old one is out of sight, and each source is compiled twice.
CLANG_NAME := $(BUILD)/gen/clang.txt
$(CLANG_NAME): $(WARPCC) FORCE
	$(call write_if_new,{ $(WARPCC) --version || :; echo $(abspath $(BUILD)); })
# Only a speed-up: warpcc does without where it cannot be made.
$(PRECOMPILED): $(WARPCC_PARTS) $(CLANG_NAME) $(HEADERS_LIST) $(CUDA_HEADERS) $(LIBCUDACXX) $(LIBCUB) $(wildcard /usr/include/cub/cub.cuh) | $(WARPCC)
	@mkdir -p $(@D)
	-$(WARPCC) --precompile
	@touch $@

.PHONY: warpcc
warpcc: $(WARPCC) $(ONE_START) $(CUDA_HEADERS) $(LIBCUDACXX) $(LIBCUB) $(PRECOMPILED)
