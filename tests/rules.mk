# Tests. A file tests/<layer>/test_*.c is one cmocka program, linked with that layer's libraries and those below it.

TEST_LIBS_base := $(BUILD)/lib/libbase.a -ljson-c -lnettle
TEST_LIBS_ptx := $(BUILD)/lib/libptx.a $(TEST_LIBS_base)
TEST_LIBS_gpu := $(BUILD)/lib/libgpu.a $(TEST_LIBS_ptx) -lm
TEST_LIBS_warpcc := $(BUILD)/obj/warpgrind/warpcc/precompiled_trim.o $(TEST_LIBS_base)
TEST_LIBS_check := $(BUILD)/lib/libcheck.a $(TEST_LIBS_ptx) -lm
UNIT_LAYERS := base ptx gpu check device autograder warpcc grading
UNIT_TESTS := $(foreach l,$(UNIT_LAYERS),$(patsubst tests/$(l)/%.c,$(BUILD)/tests/$(l)/%,$(sort $(wildcard tests/$(l)/test_*.c))))

# A function of its own, since in a pattern rule's line a % means the stem.
archives = $(filter %.a %.o,$(1))
.SECONDEXPANSION:
$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $$(call archives,$$(TEST_LIBS_$$(firstword $$(subst /, ,$$*))))
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $< $(TEST_LIBS_$(firstword $(subst /, ,$*))) -lcmocka

# These include what is made of texts.
$(foreach l,check device,$(eval $(call objects,$(sort $(wildcard tests/$(l)/test_*.c))): | $(BUILD)/gen/$(l)/texts.h))

# Makes the allocations fail that it is asked to.
$(BUILD)/tests/gpu/test_no_memory $(BUILD)/tests/check/test_no_memory: LDFLAGS_ALL += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc

# Of the programs that --threads must not change, these take seconds; make test-threads takes all.
export THREADS_QUICK := divide same histogram matrix-multiply-tiles transpose last-block-reduction scan M73-plain-add M45-missing-barrier-in-loop M09-wrong-index-formula
# A handful that nvcc compiles in make test, where it is installed; make test-nvcc has them all.
export NVCC_SOURCES := vector_add groups language
export NVCC_MISTAKES := M01-no-guard X90-read-early-by-the-optimiser X91-read-early-and-wanted X92-ended-before-the-barrier M45-missing-barrier-in-loop M53-tail-skips-store V35-padding-is-copied X13-assertion X41-tile-does-not-meet

# What make test runs on a warpgrind that compares fast ways with slow ones; make test-both takes every sample and mistake.
export BOTH_QUICK := matrix-multiply-tiles histogram bitonic-sort transpose jacobi-tiles M45-missing-barrier-in-loop M53-tail-skips-store

# make test: the suites of tests/suites.txt, then the same code under the sanitizers. SUITE=name limits it to one, FILTER=word to
# the cases with that word in their name.
ASAN := $(BUILD)/asan
export SUITE FILTER TIMES

# A single suite waits only for what it looks at: the pages are made for those that read them, the unit tests for theirs.
suite_among = $(filter $(1),$(or $(SUITE),$(1)))
# Unit tests need no program, and FILTER leaves few of them: then an edit is tried in seconds.
unit_chosen = $(if $(and $(SUITE),$(FILTER)),$(foreach t,$(UNIT_TESTS),$(if $(findstring $(FILTER),$(t:$(BUILD)/tests/%=%)),$(t))),$(UNIT_TESTS))
TEST_NEEDS = $(if $(filter unit,$(SUITE)),,all) $(if $(call suite_among,both),both) $(if $(call suite_among,unit),$(unit_chosen)) $(if $(call suite_among,browser site pdf),notes) \
             $(if $(call suite_among,exports browser),$(BUILD)/tests/grading/export_samples) \
             $(if $(call suite_among,gradebook),$(BUILD)/tests/grading/scene_book) \
             $(if $(call suite_among,class-copy),notes-reports) sanitized

.PHONY: test test-nvcc test-threads test-both both sanitized
test: $(TEST_NEEDS)
	@BUILD=$(BUILD) bash tests/run.sh

# The repository of a class from nothing: minutes.
.PHONY: test-class-copy
test-class-copy: notes-reports
	@WHOLE=1 BUILD=$(BUILD) bash tests/authoring/class-copy.sh

# The same samples and mistakes built by nvcc: minutes, and only where nvcc is installed.
test-nvcc: all
	@BUILD=$(BUILD) bash tests/run.sh tests/suites-nvcc.txt

# What people download, tried.
.PHONY: release
release:
	@sh .ci/release $(BUILD)/release

# The whole synthetic class, of which make test has a part; and a class by a real Slurm.
.PHONY: test-class test-slurm
test-class: all
	@BUILD=$(BUILD) STUDENTS=300 LESSONS=8 bash tests/class/run.sh
test-slurm: all
	@BUILD=$(BUILD) bash tests/slurm/run.sh

# All samples and mistakes, divided among 2 and 3 processes.
test-threads: all
	@BUILD=$(BUILD) bash tests/threads/run.sh

# A warpgrind that compares; all samples and mistakes on it.
both: all
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/both CHECK_BOTH=1 $(BUILD)/both/bin/warpgrind > $(BUILD)/both.log 2>&1 || { tail -n 40 $(BUILD)/both.log; exit 1; }
test-both: both
	@BUILD=$(BUILD) bash tests/both.sh

# The judge alone, for programs that ran on a card (tests/lessons/card.sh); static, so that a machine with no library of ours runs it.
$(BUILD)/card/answers: $(call objects,tests/lessons/answers.c) $(AUTOGRADER_LIB) $(JUDGES_LIB) $(BASE_LIB) $(BUILD)/lessons/driver-all.o
	@mkdir -p $(@D)
	$(CC) -static -o $@ $(filter %.o,$(filter-out $(BUILD)/lessons/%,$^)) $(AUTOGRADER_LIBS)

# One suite that needs no sanitizer does not wait for that build.
sanitized:
ifeq ($(filter-out sanitized%,$(or $(SUITE),sanitized)),)
	@$(MAKE) --no-print-directory BUILD=$(ASAN) SANITIZE=1 OPT='-O1 -g' GPU_LEVEL_OPT=-O1 all $(patsubst $(BUILD)/%,$(ASAN)/%,$(UNIT_TESTS)) > $(BUILD)/asan.log 2>&1 \
	    || { tail -n 40 $(BUILD)/asan.log; exit 1; }
endif

# Published programs, of which none is in the tree: DIR has their checkouts. Writes the page of results unless FILTER leaves some out.
.PHONY: strangers
strangers: all
	@BUILD=$(BUILD) DIR='$(DIR)' FILTER='$(FILTER)' PAGE='$(if $(FILTER)$(COLLECTION),,docs/strangers.md)' COLLECTION='$(COLLECTION)' bash tests/strangers/run.sh

include tests/fuzz/rules.mk tests/fidelity/rules.mk tests/arm64/rules.mk
