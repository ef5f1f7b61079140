# The program warpgrind, in rooms. All but main.c is a library too, for the tests.

DEVICE_ROOMS := $(patsubst %/,%,$(sort $(wildcard device/*/)))
DEVICE_LIB := $(BUILD)/lib/libdevice.a
WARPGRIND := $(BUILD)/bin/warpgrind
DEVICE_LIBS := $(DEVICE_LIB) $(CHECK_LIB) $(GPU_LIB) $(PTX_LIB) $(BUILD)/lib/libbase.a
DEVICE_SYSTEM_LIBS := $(JSON_LIBS) -ldw -lelf -lseccomp -lzstd -llz4 -lm
ALL_TARGETS += $(WARPGRIND)

$(eval $(call texts,device,device,base/say.h))
$(DEVICE_LIB): $(call objects,$(filter-out %/main.c,$(foreach room,device $(DEVICE_ROOMS),$(call sources,$(room)))))

$(WARPGRIND): $(OBJ)/device/command/main.o $(DEVICE_LIBS)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(DEVICE_SYSTEM_LIBS)

.PHONY: warpgrind
warpgrind: $(WARPGRIND) $(CUDART_LIBS)

TEST_LIBS_device := $(DEVICE_LIBS) $(DEVICE_SYSTEM_LIBS)
