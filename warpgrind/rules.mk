# The software GPU: libraries by folder, in the order of their layers, then the programs.

JSON_LIBS := -ljson-c
PTX_LIB := $(BUILD)/lib/libptx.a
GPU_LIB := $(BUILD)/lib/libgpu.a
CHECK_LIB := $(BUILD)/lib/libcheck.a

$(PTX_LIB): $(call objects,$(call sources,warpgrind/ptx))
$(CHECK_LIB): $(call objects,$(call sources,warpgrind/check))
include warpgrind/gpu/rules.mk warpgrind/cudart/rules.mk warpgrind/device/rules.mk warpgrind/warpcc/rules.mk warpgrind/curand/rules.mk
