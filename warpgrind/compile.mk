# How C is compiled here: flags, and the rules for objects and libraries. warpgrind's makefile and the course's include this file; each names its
# INCLUDES and OBJ first, the folder of its objects, SOURCE_FOLDERS, those of its libraries, and FIRST, what is made before any object, since before the
# first build nobody knows who includes it.

# All cores, unless -j or the make that called this one says how many.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

BUILD ?= build
# Objects on the way to a program are kept: nothing is built twice, and nothing is printed after the last result. Not by .SECONDARY, for
# which a header that is gone would be up to date.
.PRECIOUS: $(OBJ)/%.o
.DELETE_ON_ERROR:
ifeq ($(origin CC),default)
CC := gcc
endif
OPT ?= -O2 -g
WARN := -std=gnu11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
        -Wswitch-enum -Wundef -Wwrite-strings -Wformat=2 -Werror
, := ,
SANITIZE_FLAGS := $(if $(SANITIZE),-fsanitize=address$(,)undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
# gcc 12 for arm64 takes some functions that write through a pointer for ones without effect, and leaves out calls of them:
# warpgrind/tests/gpu/matrix.ptx notices. clang does not know the two options, and does not need them.
ifneq ($(findstring aarch64,$(shell $(CC) -dumpmachine 2>/dev/null)),)
CAREFUL := $(shell echo | $(CC) -fno-ipa-modref -fno-ipa-pure-const -x c -fsyntax-only - 2>/dev/null && echo -fno-ipa-modref -fno-ipa-pure-const)
endif
# CHECK_BOTH=1: fast ways of the machine and its observers are compared with the slow ones, on every access.
BOTH_FLAGS := $(if $(CHECK_BOTH),-DCHECK_BOTH=1)
# Flags of a distribution, which everything gets, CFLAGS are for what runs as a process of ours: a library in the process of a watched program has
# neither a sanitizer's run-time nor hooks for tests. A process of ours has no functions that others may replace (-fPIE): gcc may merge and split them.
DIST_CFLAGS ?=
PLAIN_FLAGS = $(WARN) $(OPT) -fPIC -D_GNU_SOURCE $(INCLUDES) $(DIST_CFLAGS)
CFLAGS_ALL = $(WARN) $(OPT) $(CAREFUL) -fPIE -ffp-contract=off -D_GNU_SOURCE $(INCLUDES) $(SANITIZE_FLAGS) $(BOTH_FLAGS) $(DIST_CFLAGS) $(CFLAGS)
LDFLAGS_ALL = $(SANITIZE_FLAGS) $(LDFLAGS)

objects = $(patsubst %.c,$(OBJ)/%.o,$(1))
sources = $(sort $(wildcard $(1)/*.c))

# What a folder says to people, as facts and tables: $(call texts,FOLDER,NAME,HEADER OF ITS TYPES). It includes them as NAME/texts.h and .inc.
TEXTS_AWK := $(dir $(lastword $(MAKEFILE_LIST)))base/texts.awk
define texts
$(BUILD)/gen/$(2)/texts.h $(BUILD)/gen/$(2)/texts.inc: $(1)/texts.txt $(TEXTS_AWK)
	@mkdir -p $$(@D)
	awk -v part=$$(suffix $$@) -v name=$(2) -v types=$(3) -f $(TEXTS_AWK) $$< > $$@.new && mv $$@.new $$@
endef

# A file that is made each time, and new only when it says something else: what is made of it is not made in vain.
define write_if_new
@mkdir -p $(@D)
@$(1) > $@.new
@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
endef
.PHONY: FORCE

# The list of all sources: what is made of a folder's sources is made anew when one has come or is gone.
SOURCES_LIST := $(OBJ)/sources.txt
$(SOURCES_LIST): FORCE
	$(call write_if_new,printf '%s\n' $(sort $(shell find $(SOURCE_FOLDERS) -name '*.c')))

$(BUILD)/lib/lib%.a: $(SOURCES_LIST)
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $(filter %.o,$^)

# What depends on what is told without the tree's own path, so that a tree that was moved or copied with its build folder is built right.
movable = $(if $(filter /%,$(BUILD)),@sed -i 's|$(BUILD)/|$$(BUILD)/|g' $(@:.o=.d))

# Every object of C is made by this: $(call compile,FLAGS).
define compile
@mkdir -p $(@D)
$(CC) $(1) -MMD -MP -c $< -o $@
$(movable)
endef

$(OBJ)/%.o: %.c | $(FIRST)
	$(call compile,$(CFLAGS_ALL) $(CFLAGS_$(<D)))
