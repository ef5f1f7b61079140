# Unit tests: a file tests/<layer>/test_*.c is one cmocka program, linked with TEST_LIBS_<layer>. The course's makefile includes this, too.

UNIT_TESTS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/*/test_*.c)))

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
suite_among = $(filter $(1),$(or $(SUITE),$(1)))

# Unit tests need no program, and FILTER leaves few of them: then an edit is tried in seconds.
unit_chosen = $(if $(and $(SUITE),$(FILTER)),$(foreach t,$(UNIT_TESTS),$(if $(findstring $(FILTER),$(t:$(BUILD)/tests/%=%)),$(t))),$(UNIT_TESTS))

# One suite that needs no sanitizer does not wait for that build.
sanitized:
ifneq ($(findstring sanitized,$(or $(SUITE),sanitized)),)
	@mkdir -p $(BUILD)
	@$(MAKE) --no-print-directory BUILD=$(ASAN) SANITIZE=1 OPT='-O1 -g' GPU_LEVEL_OPT=-O1 all $(patsubst $(BUILD)/%,$(ASAN)/%,$(UNIT_TESTS)) > $(BUILD)/$(SANITIZED_LOG) 2>&1 \
	    || { tail -n 40 $(BUILD)/$(SANITIZED_LOG); exit 1; }
endif
