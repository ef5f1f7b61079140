# The program warpschool: the commands of the learner's library and those of grading, in one table.

WARPSCHOOL := $(BUILD)/bin/warpschool
ALL_TARGETS += $(WARPSCHOOL)

# The repository of a class is without grading, and may be without the course in a browser (authoring/class-copy.txt).
$(BUILD)/obj/warpschool/main.o: CFLAGS_ALL += $(if $(wildcard grading/commands.h),-DWITH_GRADING) $(if $(wildcard serve/commands.def),-DWITH_SERVE)

.SECONDEXPANSION:
$(WARPSCHOOL): $(call objects,$(call sources,warpschool)) $$(SERVE_CLASS_LIB) $$(SERVE_LIB) $$(GRADING_LIBS) $$(AUTOGRADER_LIB) $$(JUDGES_LIB) $$(BASE_LIB)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) -o $@ $(filter %.o,$^) $(SERVE_CLASS_LIB) $(SERVE_LIB) $(GRADING_LINKED) $(AUTOGRADER_LIBS) $(GRADING_SYSTEM)
