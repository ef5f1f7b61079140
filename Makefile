# Warpschool's build. `make help` lists the targets; README.md has the two that matter.
#
# One non-recursive makefile: a folder of C files is a library, the libraries depend one way (base, ptx, gpu, check,
# device), everything built lies under $(BUILD).

.DEFAULT_GOAL := all
BUILD ?= build
ifeq ($(origin CC),default)
CC := gcc
endif
OPT ?= -O2 -g
WARN := -std=gnu11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
        -Wswitch-enum -Wundef -Wwrite-strings -Wformat=2 -Werror
INCLUDES := -I. -Iwarpgrind -I$(BUILD)/gen
, := ,
SANITIZE_FLAGS := $(if $(SANITIZE),-fsanitize=address$(,)undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
CFLAGS_ALL = $(WARN) $(OPT) -fPIC -ffp-contract=off -D_GNU_SOURCE $(INCLUDES) $(SANITIZE_FLAGS) $(CFLAGS)
LDFLAGS_ALL = $(SANITIZE_FLAGS) $(LDFLAGS)

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
sources = $(sort $(wildcard $(1)/*.c))

BASE_LIB := $(BUILD)/lib/libbase.a

include docs/build/rules.mk warpgrind/rules.mk autograder/rules.mk lessons/rules.mk tests/rules.mk tests/lint/rules.mk bench/rules.mk

$(BASE_LIB): $(call objects,$(call sources,base))

$(BUILD)/lib/lib%.a:
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) $(CFLAGS_$(<D)) -MMD -MP -c $< -o $@

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

.PHONY: all clean help
all: $(ALL_TARGETS)
clean:
	rm -rf $(BUILD)

.PHONY: setup
setup:
	@sh autograder/setup.sh
# `make setup exercise`: whatever else is asked for waits for the packages.
ifneq ($(filter setup,$(MAKECMDGOALS)),)
$(filter-out setup,$(MAKECMDGOALS)) all: | setup
.NOTPARALLEL:
endif
