# Fuzzing, with clang's libFuzzer under the address and undefined-behaviour sanitizers: make fuzz-NAME [FUZZ_SECONDS=60], or make fuzz
# for all. Everything is built once more in $(BUILD)/fuzz, so that a mistake anywhere shows. The course's makefile includes this, too.
#
# A file tests/fuzz/fuzz_NAME.c is a program, linked with FUZZ_LIBS; tests/fuzz/corpus-NAME and FUZZ_CORPUS_NAME are what it begins with.

FUZZ_SECONDS ?= 60
FUZZ_CC ?= clang
FUZZ := $(BUILD)/fuzz
FUZZ_TARGETS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

.PHONY: fuzz $(FUZZ_TARGETS:%=fuzz-%)
fuzz: $(FUZZ_TARGETS:%=fuzz-%)

# Compiled, no more: the suite "clang build" asks for that, since nothing else that is tested needs them.
.PHONY: fuzz-programs
fuzz-programs: $(FUZZ_TARGETS:%=$(OBJ)/tests/fuzz/fuzz_%.o)

# New inputs are collected in the build folder; a crash is left there too.
$(FUZZ_TARGETS:%=fuzz-%): fuzz-%:
	@$(MAKE) --no-print-directory BUILD=$(FUZZ) SANITIZE=1 OPT='-O1 -g' CC=$(FUZZ_CC) CFLAGS=-fsanitize=fuzzer-no-link $(FUZZ)/bin/fuzz_$*
	@mkdir -p $(FUZZ)/found-$*
	$(FUZZ)/bin/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=4096 -max_len=20000 -artifact_prefix=$(FUZZ)/$*- \
	    $(FUZZ)/found-$* $(wildcard tests/fuzz/corpus-$*) $(FUZZ_CORPUS_$*)

# In the inner make: BUILD is the folder of the fuzz build.
$(BUILD)/bin/fuzz_%: $(OBJ)/tests/fuzz/fuzz_%.o $$(call archives,$$(FUZZ_LIBS))
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -fsanitize=fuzzer -o $@ $< $(FUZZ_LIBS) -pthread
