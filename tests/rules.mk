# Tests. A file tests/<layer>/test_*.c is one cmocka program, linked with that layer's libraries and those below it.

TEST_LIBS_base := $(BUILD)/lib/libbase.a -ljson-c
TEST_LIBS_ptx := $(BUILD)/lib/libptx.a $(TEST_LIBS_base)
TEST_LIBS_gpu := $(BUILD)/lib/libgpu.a $(TEST_LIBS_ptx) -lm
TEST_LIBS_check := $(BUILD)/lib/libcheck.a $(TEST_LIBS_ptx) -lm
UNIT_LAYERS := base ptx gpu check device autograder
UNIT_TESTS := $(foreach l,$(UNIT_LAYERS),$(patsubst tests/$(l)/%.c,$(BUILD)/tests/$(l)/%,$(sort $(wildcard tests/$(l)/test_*.c))))

# A function of its own, since in a pattern rule's line a % means the stem.
archives = $(filter %.a %.o,$(1))
.SECONDEXPANSION:
$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $$(call archives,$$(TEST_LIBS_$$(firstword $$(subst /, ,$$*))))
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $< $(TEST_LIBS_$(firstword $(subst /, ,$*))) -lcmocka

# Makes the allocations fail that it is asked to.
$(BUILD)/tests/gpu/test_no_memory $(BUILD)/tests/check/test_no_memory: LDFLAGS_ALL += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc

.PHONY: unit
unit: $(UNIT_TESTS)
	@sh tests/run-unit.sh $(UNIT_TESTS)

# Of the programs that --threads must not change, these take seconds; make test-threads takes all.
THREADS_QUICK := divide same histogram matrix-multiply-tiles transpose last-block-reduction scan M73-plain-add M45-missing-barrier-in-loop M09-wrong-index-formula

# make test: all suites, then the same code under the sanitizers.
ASAN := $(BUILD)/asan
# A handful that nvcc compiles in make test, where it is installed; make test-nvcc has them all.
NVCC_MISTAKES := M01-no-guard M45-missing-barrier-in-loop M53-tail-skips-store V35-padding-is-copied X13-assertion X41-tile-does-not-meet
SUITES = "unit:sh tests/run-unit.sh $(UNIT_TESTS)" \
         $(foreach s,$(sort $(wildcard tests/cc/run.sh tests/check/run.sh tests/device/run.sh tests/cli/*.sh)),"$(patsubst tests/%.sh,%,$(s)):BUILD=$(BUILD) bash $(s)") \
         "mistakes:BUILD=$(BUILD) COMPILERS='clang nvcc' NVCC_PROGRAMS='$(NVCC_MISTAKES)' bash tests/mistakes/run.sh" \
         "kinds:bash tests/mistakes/kinds.sh" \
         "samples:BUILD=$(BUILD) COMPILERS=clang bash tests/samples/run.sh" \
         "threads:BUILD=$(BUILD) THREADS=3 PROGRAMS='$(THREADS_QUICK)' bash tests/threads/run.sh" \
         "lessons:BUILD=$(BUILD) bash tests/lessons/run.sh" \
         "pages:BUILD=$(BUILD) bash tests/lessons/pages.sh" \
         "site:BUILD=$(BUILD) bash tests/site/run.sh" \
         "lint:$(MAKE) --no-print-directory lint && echo '4 passed, 0 failed'" \
         "clang build:$(MAKE) --no-print-directory CC=clang BUILD=$(BUILD)/clang all && echo '1 passed, 0 failed'" \
         "sanitized unit:sh tests/run-unit.sh $(patsubst $(BUILD)/%,$(ASAN)/%,$(UNIT_TESTS))" \
         "sanitized lessons:BUILD=$(ASAN) bash tests/lessons/run.sh"

# The same samples and mistakes built by nvcc: minutes, and only where nvcc is installed.
.PHONY: test-nvcc
test-nvcc: all
	@bash tests/run.sh "samples by nvcc:BUILD=$(BUILD) COMPILERS=nvcc bash tests/samples/run.sh" \
	    "mistakes by nvcc:BUILD=$(BUILD) COMPILERS=nvcc bash tests/mistakes/run.sh"

# All samples and mistakes, divided among 2 and 3 processes.
.PHONY: test-threads
test-threads: all
	@bash tests/run.sh "threads:BUILD=$(BUILD) bash tests/threads/run.sh"

.PHONY: test sanitized
test: all $(UNIT_TESTS) notes sanitized
	@bash tests/run.sh $(SUITES)

sanitized:
	@$(MAKE) --no-print-directory BUILD=$(ASAN) SANITIZE=1 OPT='-O1 -g' all $(patsubst $(BUILD)/%,$(ASAN)/%,$(UNIT_TESTS)) > $(BUILD)/asan.log 2>&1 \
	    || { tail -n 40 $(BUILD)/asan.log; exit 1; }

include tests/fuzz/rules.mk
