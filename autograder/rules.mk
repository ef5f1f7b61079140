# warpschool: the judge, and the targets for learners.

AUTOGRADER_LIB := $(BUILD)/lib/libautograder.a
WARPSCHOOL := $(BUILD)/bin/warpschool
AUTOGRADER_LIBS = $(AUTOGRADER_LIB) $(JUDGES_LIB) $(AUTOGRADER_LIB) $(BASE_LIB) -ljson-c -lyaml -lm

$(AUTOGRADER_LIB): $(call objects,$(filter-out autograder/main.c,$(call sources,autograder)))
TEST_LIBS_autograder = $(AUTOGRADER_LIBS)
