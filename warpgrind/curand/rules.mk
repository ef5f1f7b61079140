# curand: the functions of <curand.h>. Programs that nvcc builds ask for this soname and this symbol version.

CURAND_LIB := $(BUILD)/lib/libcurand.so.10
CURAND_SOURCES := $(call sources,warpgrind/curand)
CURAND_FLAGS = $(WARN) $(OPT) -fPIC -fvisibility=hidden -fno-omit-frame-pointer -ffp-contract=off -D_GNU_SOURCE $(INCLUDES) -isystem $(BUILD)/include
ALL_TARGETS += $(CURAND_LIB) $(BUILD)/lib/libcurand.so

$(BUILD)/obj/curand/%.o: warpgrind/curand/%.c | $(CUDA_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(CURAND_FLAGS) -MMD -MP -c $< -o $@

$(CURAND_LIB): $(patsubst warpgrind/curand/%.c,$(BUILD)/obj/curand/%.o,$(CURAND_SOURCES))
	@mkdir -p $(@D)
	@printf 'libcurand.so.10 { global: curand*; local: *; };\n' > $@.map
	$(CC) $(LDFLAGS) -shared -Wl,-soname,libcurand.so.10 -Wl,--version-script=$@.map -o $@ $^ -lm

$(BUILD)/lib/libcurand.so: $(CURAND_LIB)
	ln -sf libcurand.so.10 $@
