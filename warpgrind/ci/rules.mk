# `warpgrind ci`: a program of its own beside warpgrind, which it starts; and the stand-in for the driver's library.

CI := $(BUILD)/bin/warpgrind-ci
NOCUDA := $(BUILD)/lib/ci/libcuda.so.1
ALL_TARGETS += $(CI) $(NOCUDA)

$(CI): $(OBJ)/device/ci/main.o $(DEVICE_LIBS)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(DEVICE_SYSTEM_LIBS)

# Loaded by programs that know nothing of us, so it has nothing of ours, and no sanitizer's run-time.
$(OBJ)/ci/nocuda.o: CFLAGS_ALL = $(PLAIN_FLAGS)
$(NOCUDA): $(OBJ)/ci/nocuda.o
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -shared -Wl,-soname,libcuda.so.1 -o $@ $<

# What CMake takes for a CUDA toolkit (find_package(CUDAToolkit)), on a machine without one.
TOOLKIT := $(BUILD)/toolkit
ALL_TARGETS += $(TOOLKIT)/bin/nvcc
$(TOOLKIT)/bin/nvcc: ci/cmake/nvcc.sh ci/cmake/nvlink.sh ci/rules.mk
	@mkdir -p $(@D)/crt $(TOOLKIT)/nvvm/libdevice $(TOOLKIT)/lib64/stubs
	ln -sfn ../include $(TOOLKIT)/include
	for name in libcudart.so libcurand.so libcublas.so; do ln -sf ../../lib/$$name $(TOOLKIT)/lib64/$$name; done
	rm -f $(TOOLKIT)/lib64/*.a
	echo 'void __warpgrind_has_no_device_runtime(void) {}' | $(CC) -x c -c -o $(TOOLKIT)/nothing.o -
	ar rc $(TOOLKIT)/lib64/libcudadevrt.a $(TOOLKIT)/nothing.o && rm $(TOOLKIT)/nothing.o
	echo 'INPUT(-lcudart)' > $(TOOLKIT)/lib64/libcudart_static.a
	ln -sf ../../../lib/ci/libcuda.so.1 $(TOOLKIT)/lib64/stubs/libcuda.so
	for name in nvlink fatbinary; do install -m 755 ci/cmake/nvlink.sh $(@D)/$$name; done
	ln -sf ../../include/crt/link.stub $(@D)/crt/link.stub
	install -m 755 $< $@
