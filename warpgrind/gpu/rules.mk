# The machine, in rooms. GPU_LEVEL_SOURCES (and CHECK_LEVEL_SOURCES) are compiled once for every processor level: decode/variant.c chooses at run time.

GPU_ROOMS := $(patsubst %/,%,$(sort $(wildcard gpu/*/)))
GPU_LEVELS := $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine)),v2 v3 v4,generic)
GPU_MARCH_v2 := -march=x86-64-v2
GPU_MARCH_v3 := -march=x86-64-v3
GPU_MARCH_v4 := -march=x86-64-v4 -mprefer-vector-width=512
GPU_LEVEL_SOURCES := $(addprefix gpu/,alu/exec_int.c alu/exec_float.c alu/exec_cvt.c memory/exec_address.c memory/exec_load.c)
# The lowest level is what the rest may use too (popcnt).
CFLAGS_gpu := $(GPU_MARCH_$(firstword $(GPU_LEVELS)))
# The rooms that every instruction, access and barrier goes through, and what is compiled for each level. A function begins a cache line:
# where it would begin otherwise is chance, which any change elsewhere throws anew, and worth a sixth of a kernel of short handlers.
# gcc is told to merge more of them than it would for programs whose time is spent in one place (clang does not know the option).
HOT_OPT ?= -O3 -falign-functions=64 $(shell echo | $(CC) -Werror -finline-limit=400 -x c -fsyntax-only - 2>/dev/null && echo -finline-limit=400)
GPU_HOT_ROOMS := $(addprefix gpu/,definedness launch memory state warp)
$(foreach room,$(GPU_ROOMS),$(eval CFLAGS_$(room) := $(CFLAGS_gpu) $(if $(filter $(room),$(GPU_HOT_ROOMS)),$(HOT_OPT))))
GPU_LEVEL_OBJECTS := $(foreach l,$(GPU_LEVELS),$(patsubst %.c,$(OBJ)/%.$(l).o,$(GPU_LEVEL_SOURCES)))
# clang says which loops it leaves scalar; that is no mistake. gcc says that vectors are passed otherwise with AVX than without, but none
# leave the inline functions of one file.
GPU_LEVEL_FLAGS = $(HOT_OPT) -Wno-pass-failed -Wno-psabi -fno-math-errno -fno-trapping-math -DGPU_LEVEL=$(1) $(GPU_MARCH_$(1))

define GPU_LEVEL_RULE
$(OBJ)/%.$(1).o: %.c | $(FIRST)
	$$(call compile,$$(CFLAGS_ALL) $$(call GPU_LEVEL_FLAGS,$(1)))
endef
$(foreach l,$(GPU_LEVELS),$(eval $(call GPU_LEVEL_RULE,$(l))))

$(GPU_LIB): $(call objects,$(filter-out $(GPU_LEVEL_SOURCES),$(foreach room,$(GPU_ROOMS),$(call sources,$(room))))) $(GPU_LEVEL_OBJECTS)
