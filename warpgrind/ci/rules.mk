# `warpgrind ci`: a program of its own beside warpgrind, which it starts; and the stand-in for the driver's library.

CI := $(BUILD)/bin/warpgrind-ci
NOCUDA := $(BUILD)/lib/ci/libcuda.so.1
ALL_TARGETS += $(CI) $(NOCUDA)

$(CI): $(OBJ)/device/ci/main.o $(DEVICE_LIBS)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(DEVICE_SYSTEM_LIBS)

# Loaded by programs that know nothing of us, so it has nothing of ours, and no sanitizer's run-time.
$(OBJ)/ci/nocuda.o: SANITIZE_FLAGS :=
$(OBJ)/ci/nocuda.o: CFLAGS :=
$(NOCUDA): $(OBJ)/ci/nocuda.o
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,libcuda.so.1 -o $@ $<
