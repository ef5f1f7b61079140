# The software GPU: libraries by folder, in the order of their layers, then the programs.

JSON_LIBS := -ljson-c
PTX_LIB := $(BUILD)/lib/libptx.a
GPU_LIB := $(BUILD)/lib/libgpu.a
CHECK_LIB := $(BUILD)/lib/libcheck.a

$(PTX_LIB): $(call objects,$(call sources,warpgrind/ptx))
include warpgrind/gpu/rules.mk warpgrind/cudart/rules.mk warpgrind/device/rules.mk warpgrind/warpcc/rules.mk warpgrind/curand/rules.mk
# As the machine's own files: observers count bits all the time.
CFLAGS_warpgrind/check := $(CFLAGS_warpgrind/gpu)
$(eval $(call texts,warpgrind/check,check,check/words.h))
CHECK_LEVEL_SOURCES := $(addprefix warpgrind/check/,flat_lanes.c cells_lanes.c)
CHECK_LEVEL_OBJECTS := $(foreach l,$(GPU_LEVELS),$(patsubst %.c,$(BUILD)/obj/%.$(l).o,$(CHECK_LEVEL_SOURCES)))
$(CHECK_LEVEL_OBJECTS): | $(GENERATED)
$(CHECK_LIB): $(call objects,$(filter-out $(CHECK_LEVEL_SOURCES),$(call sources,warpgrind/check))) $(CHECK_LEVEL_OBJECTS)
