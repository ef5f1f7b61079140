# Unit tests: a file tests/<layer>/test_*.c is one cmocka program, linked with TEST_LIBS_<layer>. The course's makefile includes this, too.

UNIT_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/*/test_*.c)))

# Tests are compiled far more often than they run: as gcc is quickest.
$(OBJ)/tests/%.o: override OPT := -O0 -g1

# A function of its own, since in a pattern rule's line a % means the stem.
archives = $(filter %.a %.o,$(1))
.SECONDEXPANSION:
$(BUILD)/tests/%: $(OBJ)/tests/%.o $$(call archives,$$(TEST_LIBS_$$(firstword $$(subst /, ,$$*))))
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $< $(TEST_LIBS_$(firstword $(subst /, ,$*))) -lcmocka

# make test: the suites of tests/suites.txt, then the same code under the sanitizers. SUITE=name limits it to one, FILTER=word to
# the cases with that word in their name.
ASAN := $(BUILD)/asan
export SUITE FILTER TIMES
# The suites of this run, each one word of make's: sanitized-unit. The target test asks for them before it makes what they need, as a commit draws some.
ASKED :=
asked_now = "$$(BUILD='$(BUILD)' bash $(SUITES) --asked)"
suite_among = $(filter $(1),$(ASKED))

# Unit tests need no program, and FILTER leaves few of them: then an edit is tried in seconds.
unit_chosen = $(if $(and $(SUITE),$(FILTER)),$(foreach t,$(UNIT_TESTS),$(if $(findstring $(FILTER),$(t:$(BUILD)/tests/%=%)),$(t))),$(UNIT_TESTS))

# What one suite of unit tests needs of the programs: nothing.
unless_unit = $(if $(filter-out unit sanitized-unit,$(ASKED)),$(1))

# Where no suite needs the sanitizers, nothing waits for that build. A report needs the lines of functions, not their variables; and what is compiled once for
# each processor level takes gcc half of the time by -Og. What lives in a watched program has no sanitizer: one runtime library of three, and no cuBLAS.
sanitized_goals = $(strip $(if $(call suite_among,$(SANITIZED_SUITES)),all) $(if $(call suite_among,sanitized-unit),$(patsubst $(BUILD)/%,$(ASAN)/%,$(unit_chosen))))
make_sanitized = mkdir -p $(BUILD) && \
    $(MAKE) --no-print-directory BUILD=$(ASAN) SANITIZE=1 OPT='-O1 -g1' HOT_OPT=-Og CUDART_NAMES=libcudart.so.13 CUBLAS_LIBS= $(SANITIZED_WITH) $(sanitized_goals) \
        > $(BUILD)/$(SANITIZED_LOG) 2>&1 || { tail -n 40 $(BUILD)/$(SANITIZED_LOG); exit 1; }
sanitized:
	@+$(if $(sanitized_goals),$(make_sanitized))
