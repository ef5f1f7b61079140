# gpu
$(GPU_LIB): $(call objects,$(call sources,warpgrind/gpu))
