# Fuzzing, with clang's libFuzzer under the address and undefined-behaviour sanitizers: make fuzz-NAME [FUZZ_SECONDS=60], or make fuzz
# for all. Everything is built once more in $(BUILD)/fuzz, the machine included, so that a mistake anywhere shows.

FUZZ_SECONDS ?= 60
FUZZ_CC ?= clang
FUZZ := $(BUILD)/fuzz
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_CORPUS_messages := $(FUZZ)/seeds-messages

.PHONY: fuzz $(FUZZ_TARGETS:%=fuzz-%)
fuzz: $(FUZZ_TARGETS:%=fuzz-%)

# New inputs are collected in the build folder; a crash is left there too.
$(FUZZ_TARGETS:%=fuzz-%): fuzz-%: | fuzz-seeds
	@$(MAKE) --no-print-directory BUILD=$(FUZZ) SANITIZE=1 OPT='-O1 -g' CC=$(FUZZ_CC) CFLAGS=-fsanitize=fuzzer-no-link $(FUZZ)/bin/fuzz_$*
	@mkdir -p $(FUZZ)/found-$*
	$(FUZZ)/bin/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=4096 -max_len=20000 -artifact_prefix=$(FUZZ)/$*- \
	    $(FUZZ)/found-$* $(wildcard tests/fuzz/corpus-$*) $(FUZZ_CORPUS_$*)

# Messages are written down by name, so that they stay what they are when rows of api.def come and go.
.PHONY: fuzz-seeds
fuzz-seeds:
	@python3 tests/fuzz/make_seeds.py warpgrind/cudart/api.def $(FUZZ)/seeds-messages $(wildcard tests/fuzz/seeds-messages/*.txt)

# In the inner make: BUILD is the folder of the fuzz build. What is not of the device says what it is linked with.
FUZZ_LIBS_roster = $(BUILD)/lib/libgrading_intake.a $(AUTOGRADER_LIB) $(BASE_LIB) -ljson-c -lyaml -lseccomp -lm $(GRADING_SYSTEM)
FUZZ_LIBS_archive = $(FUZZ_LIBS_roster)
fuzz_libs = $(or $(FUZZ_LIBS_$(1)),$(DEVICE_LIBS) $(DEVICE_SYSTEM_LIBS))
$(BUILD)/bin/fuzz_%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $$(call archives,$$(call fuzz_libs,$$*))
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -fsanitize=fuzzer -o $@ $< $(call fuzz_libs,$*) -pthread
