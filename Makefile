# Warpschool's build. `make help` lists the targets; README.md has the two that matter.
#
# One non-recursive makefile: a folder of C files is a library, the libraries depend one way (base, ptx, gpu, check,
# device), everything built lies under $(BUILD).

.DEFAULT_GOAL := all

# All cores, unless -j says how many.
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif

# `make setup exercise`: whatever else is asked for waits for the packages, and is made by a make that sees them.
AFTER_SETUP := $(filter-out setup,$(MAKECMDGOALS))
ifneq ($(and $(filter setup,$(MAKECMDGOALS)),$(AFTER_SETUP)),)
.PHONY: setup $(AFTER_SETUP)
.NOTPARALLEL:
setup:
	@sh autograder/setup.sh
$(AFTER_SETUP): setup
	@$(MAKE) --no-print-directory $@
else

BUILD ?= build
# Objects on the way to a program are kept: nothing is built twice, and nothing is printed after the last result. Not by .SECONDARY, for
# which a header that is gone would be up to date.
.PRECIOUS: $(BUILD)/obj/%.o
.DELETE_ON_ERROR:
ifeq ($(origin CC),default)
CC := gcc
endif
OPT ?= -O2 -g
WARN := -std=gnu11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
        -Wswitch-enum -Wundef -Wwrite-strings -Wformat=2 -Werror
INCLUDES := -I. -Iwarpgrind -I$(BUILD)/gen
, := ,
SANITIZE_FLAGS := $(if $(SANITIZE),-fsanitize=address$(,)undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
# gcc 12 for arm64 takes some functions that write through a pointer for ones without effect, and leaves out calls of them: tests/gpu/matrix.ptx
# notices. clang does not know the two options, and does not need them.
ifneq ($(findstring aarch64,$(shell $(CC) -dumpmachine 2>/dev/null)),)
CAREFUL := $(shell echo | $(CC) -fno-ipa-modref -fno-ipa-pure-const -x c -fsyntax-only - 2>/dev/null && echo -fno-ipa-modref -fno-ipa-pure-const)
endif
# CHECK_BOTH=1: fast ways of the machine and its observers are compared with the slow ones, on every access.
BOTH_FLAGS := $(if $(CHECK_BOTH),-DCHECK_BOTH=1)
CFLAGS_ALL = $(WARN) $(OPT) $(CAREFUL) -fPIC -ffp-contract=off -D_GNU_SOURCE $(INCLUDES) $(SANITIZE_FLAGS) $(BOTH_FLAGS) $(CFLAGS)
LDFLAGS_ALL = $(SANITIZE_FLAGS) $(LDFLAGS)

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
sources = $(sort $(wildcard $(1)/*.c))

BASE_LIB := $(BUILD)/lib/libbase.a

# What a folder says to people, as facts and tables: $(call texts,FOLDER,NAME,HEADER OF ITS TYPES). It includes them as NAME/texts.h and .inc.
define texts
$(BUILD)/gen/$(2)/texts.h $(BUILD)/gen/$(2)/texts.inc: $(1)/texts.txt base/texts.awk
	@mkdir -p $$(@D)
	awk -v part=$$(suffix $$@) -v name=$(2) -v types=$(3) -f base/texts.awk $$< > $$@.new && mv $$@.new $$@
GENERATED += $(BUILD)/gen/$(2)/texts.h $(BUILD)/gen/$(2)/texts.inc
endef

include docs/build/rules.mk warpgrind/rules.mk autograder/rules.mk warpschool/rules.mk lessons/rules.mk
# What the repository of a class does without (authoring/class-copy.txt).
include $(wildcard grading/rules.mk authoring/rules.mk tests/rules.mk tests/lint/rules.mk bench/rules.mk)

$(BASE_LIB): $(call objects,$(call sources,base))

# The picture's page as lines of C.
$(BUILD)/gen/picture_page.inc: base/picture.html
	@mkdir -p $(@D)
	sed 's/\\/&&/g; s/"/\\"/g; s/^/"/; s/$$/\\n",/' $< > $@
$(BUILD)/obj/base/picture.o: $(BUILD)/gen/picture_page.inc

# A file that is made each time, and new only when it says something else: what is made of it is not made in vain.
define write_if_new
@mkdir -p $(@D)
@$(1) > $@.new
@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
endef

# The list of all sources: what is made of a folder's sources is made anew when one has come or is gone.
SOURCES_LIST := $(BUILD)/gen/sources.txt
$(SOURCES_LIST): FORCE
	$(call write_if_new,printf '%s\n' $(sort $(shell find base warpgrind autograder grading warpschool -name '*.c')))

$(BUILD)/lib/lib%.a: $(SOURCES_LIST)
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $(filter %.o,$^)

# Before the first build nobody knows who includes what is generated: it comes before all objects.
$(BUILD)/obj/%.o: %.c | $(GENERATED)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) $(CFLAGS_$(<D)) -MMD -MP -c $< -o $@

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

.PHONY: all clean help FORCE
all: $(ALL_TARGETS)
clean:
	rm -rf $(BUILD)

# One row for each target that people type; the last lines name those for the project's own work.
define HELP
For learners
  make setup exercise         install what is missing, build, check your first lesson
  make exercise [LESSON=07]   check a lesson: the first one not yet passed, or the one you name
  make watch [LESSON=07]      the same, again each time you save the file; keys for the rest
  make hint [LESSON=07]       the next hint of a lesson
  make picture [LESSON=07]    a page that shows what the threads of your kernel did
  make list                   the lessons, and how far you are
  make reset LESSON=07        start a lesson again; your file is kept under another name
  make doctor                 look at the installation, and say how to mend it
  make notes                  build the course pages: build/site/index.html
For instructors
  make grade SUBMISSIONS=DIR  grade what a class has handed in, into a gradebook
  make similarity SUBMISSIONS=DIR [LESSON=07]   which programs of a class are alike: build/similarity/
  make gradescope LESSONS="07 08"   the autograder to upload to Gradescope: build/gradescope.zip
  make class-copy DIR=folder  write the repository that students get: no solutions, no hidden cases
  make new-lesson NAME=halo-exchange   a lesson that builds at once, to be filled in
  make check-lesson LESSON=26 the author's checks of one lesson
For the project
  make setup                  install what is missing from the distribution's packages
  make all                    build everything that is needed to check a lesson
  make test                   all suites, plain and under the sanitizers
  make test SUITE=check FILTER=right-locks   one suite of tests/suites.txt, the cases with this word in their name
  make test SUITE=unit FILTER=ptx/test_parse   the quick loop: after an edit, seconds for one file of unit tests
  make test TIMES=1           and what each suite took, in seconds and processor time
  make test-class             a class of 300 students with known grades, graded twice, once killed in the middle
  make test-slurm             a class graded by a Slurm cluster on this machine, which is killed in the middle
  make lint                   format, layers, sizes, static analysis
  make hooks                  let git ask the quick part of that before each commit
  make fidelity               write docs/fidelity.md: warpgrind beside a card
  make strangers DIR=folder   run published programs whose checkouts lie there; write docs/strangers.md
  make test-both              samples and mistakes, every fast way of the checks compared with the slow one
  make test-arm64             the same sources for arm64: cross-compiled, unit tests under qemu
  make bench                  speed next to other programs, measured in the same run
  make bench-against REF=main~5   speed next to that of another commit; ROWS="product sort" for some rows
  make release                a tarball of the last commit, built once from there, and its changelog: build/release/
  make starters               write starter/*.cu anew from the solutions
  make check LESSON=01 FILE=F check any file against a lesson
  make clean                  remove what was built; your work/ stays
endef
export HELP
help:
	@printf '%s\n' "$$HELP" $(if $(wildcard tests/rules.mk),,| sed '/^For instructors/$(,)$$d')

.PHONY: setup
setup:
	@sh autograder/setup.sh
endif
