# grading: a class's submissions become grades. Each folder is a library; grading/commands.def joins their commands to warpschool.

GRADING_FOLDERS := intake book out similarity run
GRADING_LIBS := $(foreach folder,$(GRADING_FOLDERS),$(BUILD)/lib/libgrading_$(folder).a)
# The libraries stand in the order in which one needs the next.
GRADING_LINKED := $(BUILD)/lib/libgrading_run.a $(BUILD)/lib/libgrading_out.a $(BUILD)/lib/libgrading_similarity.a \
                  $(BUILD)/lib/libgrading_book.a $(BUILD)/lib/libgrading_intake.a
GRADING_SYSTEM := -lsqlite3 -larchive
TEST_LIBS_grading = $(GRADING_LINKED) $(AUTOGRADER_LIBS) $(GRADING_SYSTEM)

$(foreach folder,$(GRADING_FOLDERS),$(eval $(BUILD)/lib/libgrading_$(folder).a: $(call objects,$(call sources,grading/$(folder)))))

# ---- for instructors: GRADE holds more options of `warpschool grade` ----

.PHONY: grade
grade: quiet-all
	@[ -n "$(SUBMISSIONS)" ] || { echo 'say what to grade: make grade SUBMISSIONS=DIR [GRADE="--roster FILE --course FILE"]'; exit 2; }
	$(call as_learner,grade "$(SUBMISSIONS)" $(if $(DEVICE),--device=$(DEVICE)) $(GRADE))

# Style sheets as lines of C: pages that people carry away have everything in them.
$(BUILD)/gen/site_style.inc: docs/build/style.css
$(BUILD)/gen/similarity_style.inc: grading/similarity/page.css
$(BUILD)/gen/out_style.inc: grading/out/page.css
$(BUILD)/gen/%_style.inc:
	@mkdir -p $(@D)
	sed 's/\\/&&/g; s/"/\\"/g; s/^/"/; s/$$/\\n",/' $< > $@
$(BUILD)/obj/grading/out/page.o: $(BUILD)/gen/site_style.inc $(BUILD)/gen/out_style.inc
$(BUILD)/obj/grading/similarity/page.o: $(BUILD)/gen/site_style.inc $(BUILD)/gen/similarity_style.inc

.PHONY: similarity
similarity: quiet-all
	@[ -n "$(SUBMISSIONS)" ] || { echo "say what to compare: make similarity SUBMISSIONS=DIR [LESSON=07]"; exit 2; }
	@$(WARPSCHOOL) similarity --out $(BUILD)/similarity $(if $(LESSON),--lesson "$(LESSON)") $(if $(ROSTER),--roster "$(ROSTER)") "$(SUBMISSIONS)"

# The autograder to upload to Gradescope: make gradescope LESSONS="07 08" [WEAK=yes]; docs/adapters.md says what WEAK costs.
.PHONY: gradescope
gradescope:
	@mkdir -p $(BUILD)
	@sh grading/adapters/gradescope/zip.sh "$(or $(OUT),$(BUILD)/gradescope.zip)" $(or $(WEAK),no) $(LESSONS)
