# Tests of the software GPU; the course's makefile asks for `test-needs` and runs both tables of suites.

SUITES := tests/run.sh tests/suites.txt
include tests/unit.mk tests/quick.mk

TEST_LIBS_base := $(BUILD)/lib/libbase.a -ljson-c -lnettle
TEST_LIBS_ptx := $(BUILD)/lib/libptx.a $(TEST_LIBS_base)
TEST_LIBS_gpu := $(BUILD)/lib/libgpu.a $(TEST_LIBS_ptx) -lm
TEST_LIBS_warpcc := $(patsubst %,$(OBJ)/warpcc/%.o,precompiled_trim placeholders ir_text) $(TEST_LIBS_base)
TEST_LIBS_check := $(BUILD)/lib/libcheck.a $(TEST_LIBS_ptx) -lm

# Makes the allocations fail that it is asked to.
$(BUILD)/tests/gpu/test_no_memory $(BUILD)/tests/check/test_no_memory: LDFLAGS_ALL += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc

# A single suite waits only for what it looks at.
.PHONY: test test-needs test-nvcc test-threads test-both both sanitized
test-needs: $(call unless_unit,all) $(if $(call suite_among,both-ways),both) $(if $(call suite_among,unit),$(unit_chosen)) sanitized
test:
	@+$(MAKE) --no-print-directory ASKED=$(asked_now) test-needs
	@BUILD=$(BUILD) bash $(SUITES)

# The same samples and mistakes built by nvcc: minutes, and only where nvcc is installed.
test-nvcc: all
	@BUILD=$(BUILD) bash tests/run.sh tests/suites-nvcc.txt

# All samples and mistakes, divided among 2 and 3 processes.
test-threads: all
	@BUILD=$(BUILD) bash tests/threads/run.sh

# A warpgrind that compares, which runs for as long as it is compiled; all samples and mistakes on it.
both: all
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/both CHECK_BOTH=1 OPT=-O1 HOT_OPT=-O1 $(BUILD)/both/bin/warpgrind > $(BUILD)/both.log 2>&1 || { tail -n 40 $(BUILD)/both.log; exit 1; }
test-both: both
	@BUILD=$(BUILD) bash tests/both.sh

# Published programs, of which none is in the tree: DIR has their checkouts. Writes the page of results unless FILTER leaves some out.
.PHONY: strangers
strangers: all
	@BUILD=$(BUILD) DIR='$(DIR)' LIST='$(LIST)' FINDINGS='$(FINDINGS)' FILTER='$(FILTER)' COLLECTION='$(COLLECTION)' bash tests/strangers/run.sh

FUZZ_LIBS = $(DEVICE_LIBS) $(DEVICE_SYSTEM_LIBS)
SANITIZED_LOG := asan-engine.log
include tests/fuzz/fuzz.mk tests/fidelity/rules.mk tests/arm64/rules.mk

LINT_PAGE := docs/design.md
LINT_NOT := include
LINT_FOLDERS := base ptx gpu check cudart curand cublas device debug warpcc
include tests/lint/lint.mk

# Messages are written down by name, so that they stay what they are when rows of api.def come and go.
FUZZ_CORPUS_messages := $(FUZZ)/seeds-messages
fuzz-messages: | fuzz-seeds
.PHONY: fuzz-seeds
fuzz-seeds:
	@python3 tests/fuzz/make_seeds.py cudart/api.def $(FUZZ)/seeds-messages $(wildcard tests/fuzz/seeds-messages/*.txt)
