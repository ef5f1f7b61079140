# curand: the functions of <curand.h>. Programs that nvcc builds ask for this soname and this symbol version.

CURAND_LIB := $(BUILD)/lib/libcurand.so.10
CURAND_SOURCES := $(call sources,curand)
CURAND_FLAGS = $(PLAIN_FLAGS) -fvisibility=hidden -fno-omit-frame-pointer -ffp-contract=off -isystem $(BUILD)/include
ALL_TARGETS += $(CURAND_LIB) $(BUILD)/lib/libcurand.so

# A static pattern, here and for cublas: where the headers are not yet made, make 4.4 takes compile.mk's rule for one that is none.
CURAND_OBJECTS := $(patsubst curand/%.c,$(OBJ)/curand/%.o,$(CURAND_SOURCES))
$(CURAND_OBJECTS): $(OBJ)/curand/%.o: curand/%.c | $(CUDA_HEADERS)
	$(call compile,$(CURAND_FLAGS))

$(CURAND_LIB): $(CURAND_OBJECTS)
	@mkdir -p $(@D)
	@printf 'libcurand.so.10 { global: curand*; local: *; };\n' > $(OBJ)/curand/version.map
	$(CC) $(LDFLAGS) -shared -Wl,-soname,libcurand.so.10 -Wl,--version-script=$(OBJ)/curand/version.map -o $@ $^ -lm

$(BUILD)/lib/libcurand.so: $(CURAND_LIB)
	ln -sf libcurand.so.10 $@
