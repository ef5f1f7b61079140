# Warpschool's build. `make help` lists the targets; README.md has the two that matter.
#
# warpgrind/ is a project of its own, with its own makefile; here is the course. A folder of C files is a library, everything built lies
# under $(BUILD).

.DEFAULT_GOAL := all
include warpgrind/place.mk

# Packages. `make setup exercise`: whatever else is asked for waits for them, and is made by a make that sees them. So do targets that need more than
# learning does: what they need comes the first time (autograder/packages.txt has the jobs).
SETUPS := setup setup-notes setup-grading setup-serve setup-tests
JOBS_OF_setup := learn
JOBS_OF_setup-notes := notes
JOBS_OF_setup-grading := grading
JOBS_OF_setup-serve := notes serve editor
JOBS_OF_setup-tests := notes grading serve editor tests
BRINGS_notes := notes
BRINGS_notes-pages := notes
BRINGS_class-copy := notes
BRINGS_questions := notes grading
BRINGS_slides := notes
BRINGS_grade := grading
BRINGS_similarity := grading
BRINGS_gradescope := grading
BRINGS_serve := notes serve
BRINGS_test := notes grading serve editor tests
BRINGS_lint := serve tests
BRINGS_release := grading
BRINGS_deb := notes packages serve
BRINGS_test-deb := notes packages serve
ASKED_SETUPS := $(filter $(SETUPS),$(MAKECMDGOALS))
AFTER_SETUP := $(filter-out $(SETUPS),$(MAKECMDGOALS))
BROUGHT := $(sort $(foreach goal,$(AFTER_SETUP),$(BRINGS_$(goal))))
.PHONY: $(SETUPS)
$(SETUPS):
	@sh autograder/setup.sh $(JOBS_OF_$@)
ifneq ($(and $(strip $(ASKED_SETUPS) $(if $(MAKELEVEL:0=),,$(BROUGHT))),$(AFTER_SETUP)),)
.PHONY: $(AFTER_SETUP) bring
.NOTPARALLEL:
bring: $(ASKED_SETUPS)
	@$(if $(BROUGHT),sh autograder/setup.sh --bring $(BROUGHT))
$(AFTER_SETUP): bring
	@+$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) $@
else

BUILD ?= build
# What is compiled includes headers of ours, those of warpgrind's base as they are installed, and tables that are made.
INCLUDES := -I. -I$(BUILD)/headers -I$(BUILD)/gen
OBJ := $(BUILD)/obj
# Nothing is compiled before warpgrind's headers and the tables of texts are there.
FIRST := engine $(foreach room,$(dir $(wildcard */texts.txt)),$(BUILD)/gen/$(room)texts.h $(BUILD)/gen/$(room)texts.inc)
include warpgrind/compile.mk

# The software GPU has a makefile of its own, which knows what is to be made anew. Of what it makes, the course uses these.
ENGINE := $(abspath $(BUILD))
WARPGRIND := $(BUILD)/bin/warpgrind
WARPCC := $(BUILD)/bin/warpcc
BASE_LIB := $(BUILD)/lib/libbase.a
PLAIN_BASE_LIB := $(BUILD)/lib/libbase-plain.a
in_engine = +$(MAKE) --no-print-directory -C warpgrind BUILD='$(ENGINE)'
.PHONY: engine
engine:
	@$(in_engine) all
$(WARPGRIND) $(WARPCC) $(BASE_LIB) $(PLAIN_BASE_LIB): engine ;
# Without this make would look at the headers before the engine has made them anew, and leave what includes them as it is.
$(BUILD)/headers/%: engine ;

include docs/build/rules.mk autograder/rules.mk warpschool/rules.mk lessons/rules.mk warpschool/install.mk
# What the repository of a class does without (authoring/class-copy.txt).
include $(wildcard serve/rules.mk grading/rules.mk authoring/rules.mk tests/rules.mk bench/rules.mk)

-include $(shell find $(OBJ) -path $(OBJ)/engine -prune -o -name '*.d' -print 2>/dev/null)

SOURCE_FOLDERS := autograder grading serve warpschool

.PHONY: all clean help
all: engine $(ALL_TARGETS)
clean:
	rm -rf $(BUILD)

# One row for each target that people type; the last lines name those for the project's own work.
define HELP
For learners
  make setup exercise         install what is missing, build, check your first lesson
  make exercise [LESSON=07]   check a lesson: the first one not yet passed, or the one you name
  make watch [LESSON=07]      the same, again each time you save the file; keys for the rest
  make hint [LESSON=07]       the next hint of a lesson; SEEN=1: those that you have seen
  make picture [LESSON=07]    a page that shows what the threads of your kernel did
  make debug [LESSON=07]      your kernel in the debugger, at the first thing that is wrong with it; also steps back
  make vscode                 the lessons in the debugger of Visual Studio Code: .vscode/launch.json and the extension
  make time LESSON=20         on a machine with a card: your kernel's times beside the solution's
  make profile LESSON=22      there, too: what compute-sanitizer and Nsight Compute say, beside warpgrind's counters
  make list                   the lessons, and how far you are
  make reset LESSON=07        start a lesson again; your file is kept under another name
  make doctor                 look at the installation, and say how to mend it
  make serve                  the course in a browser: each page with an editor and the check beside it
  make notes                  build the course pages: build/site/index.html
For instructors
  make grade SUBMISSIONS=DIR  grade what a class has handed in, into a gradebook
  make similarity SUBMISSIONS=DIR [LESSON=07]   which programs of a class are alike: build/similarity/
  make gradescope LESSONS="07 08"   the autograder to upload to Gradescope: build/gradescope.zip
  make slides                 a deck for each group of lessons, for a browser and as PDF: build/slides/
  make questions              the question bank for Moodle, as GIFT and as QTI: build/questions/
  make class-copy DIR=folder  write the repository that students get: no solutions, no hidden cases
  make new-lesson NAME=halo-exchange SHAPE=field   a lesson that passes its checks at once, to be filled in; shapes: array, reduction, field, library
  make check-lesson LESSON=26 the author's checks of one lesson, and what to do next
  make lesson-pack LESSON=26  a lesson as one file, for other teachers
  make lesson-add FILE=F HASH=H   add such a file's lesson, once it has passed its checks in a sandbox
For the project
  make setup                  install what learning and building need from the distribution's packages
  make setup-notes setup-grading setup-serve setup-tests   what make notes, make grade, make serve and make test bring by themselves the first time
  make all                    build everything that is needed to check a lesson
  make test                   all suites, plain and under the sanitizers
  make test SUITE=check FILTER=right-locks   one suite of tests/suites.txt, the cases with this word in their name
  make test SUITE=unit FILTER=ptx/test_parse   the quick loop: after an edit, seconds for one file of unit tests
  make test TIMES=1           and what each suite took, in seconds and processor time
  make test-all               make test, and all of what it draws or takes a part of: an hour
  make mutate ROOM=autograder/verdict N=10 SEED=1   which small changes of the product's C the tests notice (MINUTES=30)
  make test-class             a class of 300 students with known grades, graded twice, once killed in the middle
  make test-proxy             a class behind nginx on this machine: TLS, single sign-on by a header, two servers
  make test-slurm             a class graded by a Slurm cluster on this machine, which is killed in the middle
  make test-debian RELEASE=trixie   README's commands in a fresh root of that release; as root, needs mmdebstrap
  make lint                   format, layers, sizes, static analysis
  make hooks                  let git ask the quick part of that before each commit
  make fidelity               write docs/fidelity.md and warpgrind's own: what a card computed beside what is computed here
  make strangers DIR=folder LIST=file   run published programs whose checkouts lie there, those of your list
  make test-both              samples and mistakes, every fast way of the checks compared with the slow one
  make test-arm64             the same sources for arm64: cross-compiled, unit tests under qemu
  make bench                  speed next to other programs, measured in the same run
  make bench-against REF=main~5   speed next to that of another commit; ROWS="product sort" for some rows
  make install                the course in PREFIX=/usr/local; warpschool start FOLDER makes a learner's folder
  make deb                    Debian packages of the last commit: build/deb/
  make test-deb               the packages in fresh roots of Debian 12 and 13: installed, tried, removed; as root, needs mmdebstrap
  make release                a tarball of the last commit, built once from there, and its changelog: build/release/
  make starters               write starter/*.cu anew from the solutions
  make check LESSON=01 FILE=F check any file against a lesson
  make clean                  remove what was built; your work/ stays
endef
export HELP
help:
	@printf '%s\n' "$$HELP" $(if $(wildcard tests/rules.mk),,| sed '/^For instructors/$(,)$$d')
endif
