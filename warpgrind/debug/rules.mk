# `warpgrind debug`: a program of its own beside warpgrind, which no judge starts.

DEBUGGER := $(BUILD)/bin/warpgrind-debug
ALL_TARGETS += $(DEBUGGER)

$(DEBUGGER): $(call objects,$(call sources,debug)) $(DEVICE_LIBS)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(DEVICE_SYSTEM_LIBS)
