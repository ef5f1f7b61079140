# make bench: ratios against other programs, measured in the same run. Never part of make test.

BENCH := $(BUILD)/bench
CFLAGS_bench = -O3

.PHONY: bench
bench: all $(BENCH)/kernel_speed $(BENCH)/patterns $(BENCH)/against $(BENCH)/undebugged $(BENCH)/plain_speed $(BENCH)/opencl $(BENCH)/kernels-O0.ptx $(BENCH)/kernels-O2.ptx \
       $(BENCH)/patterns-O2.ptx $(BENCH)/product-O2.ptx $(BENCH)/smallest $(BENCH)/threads $(BENCH)/repeats
	@sh bench/run.sh $(BUILD)

SHAPES = $(call objects,bench/shape.c bench/plain.c)
$(BENCH)/kernel_speed $(BENCH)/patterns $(BENCH)/against: $(BENCH)/%: $(OBJ)/bench/%.o $(call objects,bench/work.c) $(SHAPES) $(CHECK_LIB) $(GPU_LIB) $(PTX_LIB) $(BASE_LIB)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(JSON_LIBS) -lm

# The machine without the test for a debugger: what that costs where there is none (debugger.sh).
$(BENCH)/undebugged.c: gpu/warp/warp.c
	@mkdir -p $(@D)
	sed 's/if (warp->run->gpu->stepper)/if (false)/' $< >$@
	@! cmp -s $< $@

$(BENCH)/undebugged.o: $(BENCH)/undebugged.c
	$(call compile,$(CFLAGS_ALL) $(CFLAGS_gpu/warp))

$(BENCH)/undebugged: $(OBJ)/bench/against.o $(BENCH)/undebugged.o $(call objects,bench/work.c) $(SHAPES) $(CHECK_LIB) $(GPU_LIB) $(PTX_LIB) $(BASE_LIB)
	$(CC) $(LDFLAGS_ALL) -o $@ $^ $(JSON_LIBS) -lm

$(BENCH)/plain_speed: $(OBJ)/bench/plain_speed.o $(SHAPES)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $^ -lm

# OpenCL is optional: without its headers the rows say so.
.PHONY: $(BENCH)/opencl
$(BENCH)/opencl:
	@mkdir -p $(@D)
	@if [ -e /usr/include/CL/cl.h ]; then $(CC) -std=gnu11 -O3 -D_GNU_SOURCE -I. -o $(BENCH)/opencl_speed bench/opencl_speed.c bench/shape.c bench/plain.c -lOpenCL -lm; fi

$(BENCH)/%-O0.ptx: bench/%.cu all
	@mkdir -p $(@D)
	$(BUILD)/bin/warpcc -O0 -c --keep-ptx $@ -o $(@:.ptx=.o) $<

$(BENCH)/%-O2.ptx: bench/%.cu all
	@mkdir -p $(@D)
	$(BUILD)/bin/warpcc -O2 -c --keep-ptx $@ -o $(@:.ptx=.o) $<

$(BENCH)/smallest $(BENCH)/threads $(BENCH)/repeats: $(BENCH)/%: bench/%.cu all
	@mkdir -p $(@D)
	$(BUILD)/bin/warpcc -O2 -o $@ $<

# The machine here beside that of another commit: make bench-against REF=main~5 [ROWS="product sort"] [CHECKS=all] [ROUNDS=5]
.PHONY: bench-against
bench-against: all $(BENCH)/kernels-O2.ptx $(BENCH)/patterns-O2.ptx $(BENCH)/product-O2.ptx
	@CC='$(CC)' MAKE='$(MAKE)' ROWS='$(ROWS)' CHECKS='$(CHECKS)' ROUNDS='$(ROUNDS)' RUNS='$(RUNS)' sh bench/against.sh $(BUILD) '$(or $(REF),HEAD)'
