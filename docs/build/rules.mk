# make notes: the course site in $(BUILD)/site: lesson pages by pandoc, reference by Doxygen, and the whole course as one PDF.

SITE := $(BUILD)/site
SITE_DATA := $(BUILD)/site-data
# A page shows what the tool really says of a mutant: each ```{.report mutant="NAME"} of a page is one run.
REPORTS = $(shell for page in lessons/[0-9]*/lesson.md; do lesson=$$(basename $$(dirname $$page)); \
    sed -n 's/.*{\.report mutant="\([a-z0-9-]*\)"}.*/\1/p' $$page | sed "s,^,$(SITE_DATA)/$$lesson/,;s,$$,.txt,"; done)
# So does the page of each kind of finding.
FINDING_REPORTS = $(shell sed -n 's,^\([a-z][a-z-]*\).*,$(SITE_DATA)/findings/\1.txt,p' docs/build/findings.txt)

# A report is made anew where its program, the toolkit or what writes it is newer. notes-reports asks for them when the toolkit stands.
REPORT_TOOLS = $(wildcard docs/build/*.sh $(BUILD)/bin/warp* $(BUILD)/lib/lib*.so $(BUILD)/lessons/*/*)
.SECONDEXPANSION:
$(SITE_DATA)/findings/%.txt: docs/build/findings.txt $$(shell awk '$$$$1 == "$$*" { print $$$$2 }' docs/build/findings.txt) $$(REPORT_TOOLS)
	@mkdir -p $(@D)
	@BUILD=$(BUILD) sh docs/build/example.sh $* > $@.new
	@mv $@.new $@

# The report on the front page, without the machine's path and the last line's summary.
$(SITE_DATA)/front.txt: warpgrind/docs/example/sum.cu $$(REPORT_TOOLS)
	@mkdir -p $(@D)
	@$(BUILD)/bin/warpcc -o $(SITE_DATA)/front warpgrind/docs/example/sum.cu
	@NO_COLOR=1 COLUMNS=80 LC_ALL=C.UTF-8 $(BUILD)/bin/warpgrind --seed 1 $(SITE_DATA)/front > $@.all 2>&1; test $$? -eq 1
	@sed '/^  what to do/,$$d' $@.all > $@.new
	@mv $@.new $@

# With it comes the picture of the same run, where it shows the mistake.
$(SITE_DATA)/%.txt: $$(wildcard solutions/$$(firstword $$(subst /, ,$$*))/mutants/$$(notdir $$*).cu lessons/$$(firstword $$(subst /, ,$$*))/*) $$(REPORT_TOOLS)
	@mkdir -p $(@D)
	@BUILD=$(BUILD) sh docs/build/mutant.sh $(firstword $(subst /, ,$*)) $(notdir $*) $@

.PHONY: notes notes-pages notes-reports notes-reference
# The texts are UTF-8 whatever the user's locale is; pandoc reads its arguments by the locale.
notes notes-pages notes-reports notes-reference: export LC_ALL = C.UTF-8
# The repository of a class has no reference, and no tests to count.
REFERENCE := $(if $(wildcard docs/Doxyfile),notes-reference)
notes: notes-pages $(REFERENCE)
	@echo "notes: open $(SITE)/index.html"

notes-reports: all
	@$(MAKE) --no-print-directory BUILD=$(BUILD) $(REPORTS) $(FINDING_REPORTS) $(SITE_DATA)/front.txt

notes-pages: notes-reports $(REFERENCE)
	@mkdir -p $(SITE_DATA)/docs
	@for table in api ptx; do $(BUILD)/bin/warpgrind table $$table > $(SITE_DATA)/docs/$$table.md || exit 1; done
	@test ! -f tests/judged/kinds.sh || bash tests/judged/kinds.sh --table > $(SITE_DATA)/docs/findings.md
	@test ! -f authoring/material.sh || for page in plans notes; do sh authoring/material.sh $$page > $(SITE_DATA)/docs/course-$$page.md || exit 1; done
	@BUILD=$(BUILD) sh docs/build/findings.sh $(SITE_DATA)
	@sh docs/build/site.sh $(SITE) $(SITE_DATA)

.PHONY: slides
slides: export LC_ALL = C.UTF-8
slides:
	@sh docs/build/slides/slides.sh $(BUILD)/slides

notes-reference:
	@sh docs/build/reference.sh $(SITE) $(SITE_DATA)
