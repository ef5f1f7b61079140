# curand: the functions of <curand.h>. Programs that nvcc builds ask for this soname and this symbol version.

CURAND_LIB := $(BUILD)/lib/libcurand.so.10
CURAND_SOURCES := $(call sources,curand)
CURAND_FLAGS = $(PLAIN_FLAGS) -fvisibility=hidden -fno-omit-frame-pointer -ffp-contract=off -isystem $(BUILD)/include
ALL_TARGETS += $(CURAND_LIB) $(BUILD)/lib/libcurand.so

$(OBJ)/curand/%.o: curand/%.c | $(CUDA_HEADERS)
	$(call compile,$(CURAND_FLAGS))

$(CURAND_LIB): $(patsubst curand/%.c,$(OBJ)/curand/%.o,$(CURAND_SOURCES))
	@mkdir -p $(@D)
	@printf 'libcurand.so.10 { global: curand*; local: *; };\n' > $(OBJ)/curand/version.map
	$(CC) $(LDFLAGS) -shared -Wl,-soname,libcurand.so.10 -Wl,--version-script=$(OBJ)/curand/version.map -o $@ $^ -lm

$(BUILD)/lib/libcurand.so: $(CURAND_LIB)
	ln -sf libcurand.so.10 $@
