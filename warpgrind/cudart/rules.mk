# cudart: the client. One set of sources makes three libraries, as programs built with CUDA 11, 12 and 13 ask for different
# sonames and symbol versions; libcudart.so, which new programs are linked with, is the newest.

CUDART_NAMES := libcudart.so.13 libcudart.so.12 libcudart.so.11.0
CUDART_LIBS := $(patsubst %,$(BUILD)/lib/%,$(CUDART_NAMES)) $(BUILD)/lib/libcudart.so
CUDART_SOURCES := $(call sources,cudart)
ALL_TARGETS += $(CUDART_LIBS)

# The client lives in the student's process: frame pointers for call sites.
CUDART_FLAGS = $(PLAIN_FLAGS) -fvisibility=hidden -fno-omit-frame-pointer -pthread
CUDART_FLAGS_libcudart.so.13 := -DCUDART_MAJOR=13
CUDART_FLAGS_libcudart.so.12 := -DCUDART_MAJOR=12
CUDART_FLAGS_libcudart.so.11.0 := -DCUDART_MAJOR=11 -DCUDART_OLD_PROPERTIES

define cudart_library
$(OBJ)/cudart/$(1)/%.o: cudart/%.c
	$$(call compile,$$(CUDART_FLAGS) $$(CUDART_FLAGS_$(1)))

$(BUILD)/lib/$(1): $(patsubst cudart/%.c,$(OBJ)/cudart/$(1)/%.o,$(CUDART_SOURCES))
	@mkdir -p $$(@D)
	@printf '%s { global: cuda*; __cuda*; local: *; };\nWARPGRIND_1 { global: warpgrind*; };\nGLIBC_2.2.5 { };\nGLIBC_2.17 { };\n' $(1) > $(OBJ)/cudart/$(1).map
	$$(CC) $$(LDFLAGS) -shared -pthread -Wl,-soname,$(1) -Wl,--version-script=$(OBJ)/cudart/$(1).map -Wl,-z,defs -o $$@ $$^
endef
$(foreach name,$(CUDART_NAMES),$(eval $(call cudart_library,$(name))))

$(BUILD)/lib/libcudart.so: $(BUILD)/lib/libcudart.so.13
	ln -sf libcudart.so.13 $@

.PHONY: cudart
cudart: $(CUDART_LIBS)
