# Fuzzing, with clang's libFuzzer: make fuzz-NAME [FUZZ_SECONDS=60]. A target is a row of these variables.

FUZZ_SECONDS ?= 60
FUZZ_CC ?= clang
FUZZ_FLAGS := -std=gnu11 -g -O1 -D_GNU_SOURCE $(INCLUDES) -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
FUZZ_SOURCES_ptx := $(call sources,warpgrind/ptx) base/arena.c base/text.c base/diag.c

$(BUILD)/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $$(FUZZ_SOURCES_$$*)
	@mkdir -p $(@D)
	$(FUZZ_CC) $(FUZZ_FLAGS) -o $@ $< $(FUZZ_SOURCES_$*) $(FUZZ_LIBS_$*)

# New inputs are collected in the build folder; a crash is left there too.
fuzz-%: $(BUILD)/fuzz/fuzz_%
	@mkdir -p $(BUILD)/fuzz/found-$*
	$< -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -max_len=20000 -artifact_prefix=$(BUILD)/fuzz/ \
	    $(BUILD)/fuzz/found-$* tests/fuzz/corpus-$*

.PHONY: fuzz
fuzz: fuzz-ptx fuzz-messages fuzz-fatbin

.PRECIOUS: $(BUILD)/fuzz/fuzz_%
