# Tests of the course and the grader, and those of warpgrind with them.

SUITES := warpgrind/tests/run.sh warpgrind/tests/suites.txt tests/suites.txt
# Those whose programs have the sanitizers.
SANITIZED_SUITES := sanitized-lessons sanitized-serve
include warpgrind/tests/unit.mk warpgrind/tests/quick.mk

# Exports and gradebooks to look at, made by programs of their own.
SAMPLES_NEEDED = $(if $(call suite_among,exports browser),$(BUILD)/tests/grading/export_samples) $(if $(call suite_among,gradebook),$(BUILD)/tests/grading/scene_book)
# A single suite waits only for what it looks at: the pages are made for those that read them, the unit tests for theirs.
TEST_NEEDS := $(call unless_unit,all) engine-test-needs $(if $(call suite_among,unit),$(unit_chosen)) $(if $(call suite_among,browser site pdf serve-in-a-browser),notes) \
             $(SAMPLES_NEEDED) $(if $(call suite_among,class-copy),notes-reports) sanitized

.PHONY: test test-needs engine-test-needs sanitized
engine-test-needs: $(call unless_unit,engine)
	@$(in_engine) test-needs
SANITIZED_LOG := asan.log
sanitized: engine-test-needs $(call unless_unit,all)
# warpcc makes of a lesson's driver the same object, whoever built warpcc.
SANITIZED_WITH = DRIVERS=$(abspath $(BUILD))/lessons
test-needs: $(TEST_NEEDS)
test:
	@+$(MAKE) --no-print-directory ASKED=$(asked_now) test-needs
	@BUILD=$(BUILD) bash $(SUITES)

# The same without a draw or a part: of each suite that takes one in make test, all.
.PHONY: test-all
test-all: export WHOLE := 1
test-all: test test-class test-threads test-both

# A class of 40 scripted students in a browser's place, three lessons: five minutes on two cores. Six of them are a suite of make test.
.PHONY: test-served-class
test-served-class: all
	@STUDENTS=40 LESSONS=3 BUILD=$(BUILD) bash tests/serve/whole-class.sh

# The course in a browser, for one and for a class, with 10,000 connections that mean it ill for half a minute each, and a body of 1 GB that is really sent. A
# crowd of a tenth is in make test.
.PHONY: test-hostile
test-hostile: all
	@for suite in attacks class; do \
	    CROWD=10000 CROWD_SECONDS=30 CROWD_BODY=1073741824 CROWD_SAYS=/dev/stderr BUILD=$(BUILD) bash tests/serve/$$suite.sh || exit 1; done

# A class behind nginx, which no setup brings (apt-get install nginx-light): TLS, single sign-on by a header, two servers.
.PHONY: test-proxy
test-proxy: all
	@BUILD=$(BUILD) bash tests/serve/proxy.sh

# Which small changes of the product's C do the tests notice? See tests/mutate/mutate.py.
.PHONY: mutate
mutate: all
	@BUILD=$(BUILD) ROOM='$(ROOM)' N='$(N)' SEED='$(SEED)' MINUTES='$(MINUTES)' CHANGES='$(CHANGES)' ALL='$(ALL)' PYTHONDONTWRITEBYTECODE=1 python3 tests/mutate/mutate.py

# The repository of a class from nothing: minutes.
.PHONY: test-class-copy
test-class-copy: notes-reports
	@WHOLE=1 BUILD=$(BUILD) bash tests/authoring/class-copy.sh

# What people download, tried.
.PHONY: release
release:
	@sh .ci/release $(BUILD)/release

# Debian packages of the last commit, and all that is promised of them, in fresh roots of the releases.
.PHONY: deb test-deb
deb:
	@sh debian/deb.sh $(BUILD)/deb
test-deb:
	@BUILD=$(BUILD) bash tests/debian/packages.sh

# README's commands in a fresh root of a release: RELEASE=trixie or bookworm.
.PHONY: test-debian
test-debian:
	@RELEASE='$(or $(RELEASE),trixie)' bash tests/debian/run.sh

# The whole synthetic class, of which make test has a part; and a class by a real Slurm.
.PHONY: test-class test-slurm
test-class: all
	@BUILD=$(BUILD) STUDENTS=300 LESSONS=8 bash tests/class/run.sh
test-slurm: all
	@BUILD=$(BUILD) bash tests/slurm/run.sh

# The judge alone, for programs that ran on a card (tests/lessons/card.sh); static, so that a machine with no library of ours runs it.
$(BUILD)/card/answers: $(call objects,tests/lessons/answers.c) $(AUTOGRADER_LIB) $(JUDGES_LIB) $(BASE_LIB) $(BUILD)/lessons/driver-all.o
	@mkdir -p $(@D)
	$(CC) -static -o $@ $(filter %.o,$(filter-out $(BUILD)/lessons/%,$^)) $(AUTOGRADER_LIBS)
# What looks at warpgrind alone is made in its folder: the same target there.
.PHONY: test-nvcc test-threads test-both test-arm64 strangers fidelity bench-against
test-nvcc test-threads test-both test-arm64 strangers bench-against:
	@$(in_engine) $@
# warpgrind's own page first; then what the lessons' programs computed on the card beside what they compute here.
fidelity: all $(BUILD)/card/answers
	@$(in_engine) fidelity
	@bash tests/lessons/card.sh soft $(BUILD)/fidelity
	@python3 tests/lessons/beside.py $(BUILD)/fidelity/card.tsv tests/lessons/differences.txt tests/lessons/card.tsv $(wildcard tests/lessons/two-cards.tsv) > docs/fidelity.md

LINT_PAGE := docs/ARCHITECTURE.md
LINT_NOT := warpgrind
LINT_FOLDERS := autograder grading serve warpschool
include warpgrind/tests/lint/lint.mk
.PHONY: lint-engine hooks
lint: lint-engine
lint-engine:
	@$(in_engine) lint
hooks:
	@sh tests/hooks/hooks.sh

FUZZ_LIBS = $(SERVE_CLASS_LIB) $(SERVE_LIB) $(if $(HAVE_HTTP),$(BUILD)/lib/libserve_web.a) $(GRADING_LINKED) $(AUTOGRADER_LIB) $(JUDGES_LIB) $(AUTOGRADER_LIB) $(BASE_LIB) -ljson-c -lyaml -lseccomp -lnettle -lm $(GRADING_SYSTEM) $(if $(HAVE_HTTP),-lmicrohttpd)
include warpgrind/tests/fuzz/fuzz.mk
