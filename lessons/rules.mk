# Lessons. Each folder lessons/NN-name gives a driver (the program around the student's code) and a judge (cases and
# reference, linked into warpschool); the table of judges is made from the folders.

LESSON_JUDGES := $(sort $(wildcard lessons/*/judge.c))
LESSON_NAMES := $(patsubst lessons/%/driver.cu,%,$(sort $(wildcard lessons/*/driver.cu)))
# Ranks need an MPI. Where none is installed, the lessons that have them are left out, and `warpschool check` says how to get it.
HAVE_MPI := $(firstword $(wildcard /usr/include/*/mpich/mpi.h))
RANKED_LESSONS := $(patsubst lessons/%/lesson.yaml,%,$(shell grep -l '^ranks:' lessons/*/lesson.yaml))
DRIVER_OBJECTS := $(patsubst %,$(BUILD)/lessons/%/driver.o,$(if $(HAVE_MPI),$(LESSON_NAMES),$(filter-out $(RANKED_LESSONS),$(LESSON_NAMES))))
DRIVER_LIB := $(BUILD)/lib/libdriver.a
JUDGES_LIB := $(BUILD)/lib/libjudges.a

ALL_TARGETS += $(DRIVER_LIB) $(DRIVER_OBJECTS)

# One object in which only the driver's own names are visible: a student may call a function arena_alloc. It lives in the
# student's process, which is linked without a sanitizer's run-time.
# Its code lies in a section of its own, by which the judge tells the driver's calls from the student's (autograder/check/check.h).
DRIVER_SECTION := $(foreach s,text text.startup text.unlikely text.hot text.exit,--rename-section .$(s)=warpschool_driver)
$(BUILD)/obj/lessons/common/driver.o: SANITIZE_FLAGS :=
$(BUILD)/obj/lessons/common/driver.o: CFLAGS :=
$(BUILD)/lessons/driver-all.o: $(BUILD)/obj/lessons/common/driver.o $(PLAIN_BASE_LIB)
	@mkdir -p $(@D)
	$(LD) -r -o $@.tmp $^
	objcopy --wildcard --keep-global-symbol=main --keep-global-symbol='driver_*' $(DRIVER_SECTION) $@.tmp $@
	@rm -f $@.tmp
$(DRIVER_LIB): $(BUILD)/lessons/driver-all.o

# The programs under the sanitizers take those of the build that they are made beside.
ifneq ($(and $(SANITIZE),$(DRIVERS)),)
$(BUILD)/lessons/%/driver.o: $(DRIVERS)/%/driver.o
	@mkdir -p $(@D)
	cp $< $@
$(DRIVERS)/%/driver.o: ;
else
$(BUILD)/lessons/%/driver.o: lessons/%/driver.cu lessons/common/driver.h lessons/common/ranks.h lessons/common/collectives.def $(WARPCC_PARTS) | $(WARPCC)
	@mkdir -p $(@D)
	$(WARPCC) -c -I. $(if $(filter $*,$(RANKED_LESSONS)),--mpi=mpich) -o $@.tmp $<
	objcopy $(DRIVER_SECTION) $@.tmp $@
	@rm -f $@.tmp
endif

# A driver with kernels of its own comes to a card as its source: NVIDIA's run-time loads what nvcc has made of it.
CARD_DRIVERS := $(patsubst %,$(BUILD)/%,$(shell grep -l __global__ lessons/*/driver.cu))
ALL_TARGETS += $(CARD_DRIVERS)
$(CARD_DRIVERS): $(BUILD)/%: % lessons/common/driver.h lessons/common/alone.awk
	@mkdir -p $(@D)
	awk -f lessons/common/alone.awk $< > $@.new
	mv $@.new $@

# The table of judges.
JUDGES_TABLE := $(BUILD)/gen/judges.c
$(JUDGES_TABLE): FORCE
	$(call write_if_new,awk -f lessons/common/judges.awk $(LESSON_JUDGES))
$(BUILD)/obj/gen/judges.o: $(JUDGES_TABLE) | $(FIRST)
	$(call compile,$(CFLAGS_ALL))
$(JUDGES_LIB): $(call objects,$(LESSON_JUDGES)) $(BUILD)/obj/gen/judges.o

# Whether a lesson has hidden cases is written down: its judge is made anew when such a file has come or is gone.
HIDDEN_NOTES := $(LESSON_JUDGES:lessons/%/judge.c=$(BUILD)/gen/hidden/%.txt)
$(HIDDEN_NOTES): $(BUILD)/gen/hidden/%.txt: FORCE
	$(call write_if_new,echo $(wildcard lessons/$*/hidden.def))
$(foreach judge,$(LESSON_JUDGES),$(eval $(call objects,$(judge)): $(judge:lessons/%/judge.c=$(BUILD)/gen/hidden/%.txt)))
# ccache does not notice that a file which __has_include asked for has appeared: the two builds differ in their options as well.
HIDDEN_CASES := $(wildcard lessons/*/hidden.def)
$(HIDDEN_CASES:%/hidden.def=$(BUILD)/obj/%/judge.o): CFLAGS_ALL += -DWITH_HIDDEN_CASES

# A starter is its solution with the marked regions cut out.
STARTERS := $(patsubst solutions/%/solution.cu,starter/%.cu,$(sort $(wildcard solutions/*/solution.cu)))
.PHONY: starters check-starters
starters:
	@for file in $(STARTERS); do \
	    name=$${file#starter/}; name=$${name%.cu}; \
	    awk -f lessons/common/starter.awk "solutions/$$name/solution.cu" > "$$file.new" || exit 1; \
	    if cmp -s "$$file.new" "$$file"; then rm "$$file.new"; else mv "$$file.new" "$$file"; echo "wrote $$file"; fi; \
	done
check-starters:
	@for file in $(STARTERS); do \
	    name=$${file#starter/}; name=$${name%.cu}; \
	    awk -f lessons/common/starter.awk "solutions/$$name/solution.cu" | diff -u "$$file" - || \
	        { echo "$$file differs from its solution with the marked regions cut out; run: make starters"; exit 1; }; \
	done
