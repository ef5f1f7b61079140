# cublas: the functions of <cublas_v2.h>. Kernels and what launches them are compiled by warpcc, so the library is made where there is a clang
# for it. Programs that nvcc builds ask for the soname and symbol version of their toolkit.

CUBLAS_NAMES := libcublas.so.13 libcublas.so.12 libcublas.so.11
CUBLAS_LIBS := $(patsubst %,$(BUILD)/lib/%,$(CUBLAS_NAMES)) $(BUILD)/lib/libcublas.so
CUBLAS_CLANG := $(firstword $(foreach clang,$(WARPCC_CLANG) clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 clang,$(shell command -v $(clang))))
CUBLAS_OBJECTS := $(patsubst cublas/%.c,$(OBJ)/cublas/%.o,$(wildcard cublas/*.c)) $(patsubst cublas/%.cu,$(OBJ)/cublas/%.cu.o,$(wildcard cublas/*.cu))
CUBLAS_FLAGS = $(PLAIN_FLAGS) -fvisibility=hidden -fno-omit-frame-pointer -isystem $(BUILD)/include
# The folder in the debug information is a name by which places in the library are known (check/findings/libraries.c), wherever it was built.
CUBLAS_CUDA_FLAGS = -O2 -Wno-float-equal -I. -fPIC -fvisibility=hidden -fno-omit-frame-pointer -fdebug-prefix-map=$(CURDIR)=/libcublas
ALL_TARGETS += $(if $(CUBLAS_CLANG),$(CUBLAS_LIBS))

$(filter-out %.cu.o,$(CUBLAS_OBJECTS)): $(OBJ)/cublas/%.o: cublas/%.c | $(CUDA_HEADERS)
	$(call compile,$(CUBLAS_FLAGS))
$(OBJ)/cublas/%.cu.o: cublas/%.cu $(wildcard cublas/*.h cublas/*.cuh) $(CUDA_HEADERS) | $(WARPCC)
	@mkdir -p $(@D)
	$(WARPCC) $(CUBLAS_CUDA_FLAGS) -c $< -o $@

define cublas_library
$(BUILD)/lib/$(1): $(CUBLAS_OBJECTS) $(BUILD)/lib/libcudart.so
	@mkdir -p $$(@D)
	@printf '%s { global: cublas*; local: *; };\n' $(1) > $(OBJ)/cublas/$(1).map
	$$(CC) $$(LDFLAGS) -shared -Wl,-soname,$(1) -Wl,--version-script=$(OBJ)/cublas/$(1).map -o $$@ $(CUBLAS_OBJECTS)
endef
$(foreach name,$(CUBLAS_NAMES),$(eval $(call cublas_library,$(name))))

$(BUILD)/lib/libcublas.so: $(BUILD)/lib/libcublas.so.13
	ln -sf libcublas.so.13 $@

.PHONY: cublas
cublas: $(CUBLAS_LIBS)
