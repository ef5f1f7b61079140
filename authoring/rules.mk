# For teachers and authors: the repository that students get, and new lessons.

.PHONY: new-lesson check-lesson
new-lesson:
	@sh authoring/new-lesson.sh '$(NAME)' '$(SHAPE)' '$(AUTHOR)'
check-lesson: all
	@BUILD=$(BUILD) sh authoring/check-lesson.sh '$(LESSON)'

# A lesson as one file, for other teachers; and one of theirs.
.PHONY: lesson-pack lesson-add
lesson-pack: all
	@BUILD=$(BUILD) sh authoring/lesson-pack.sh '$(LESSON)'
lesson-add: all
	@BUILD=$(BUILD) sh authoring/lesson-add.sh '$(FILE)' '$(HASH)' '$(NAME)'

# Questions with their answers, for the system that a course is in.
.PHONY: questions
questions:
	@sh authoring/questions/questions.sh $(BUILD)/questions
	@echo "questions: $(BUILD)/questions has moodle.xml, questions.gift and qti.zip"

.PHONY: class-copy
class-copy:
	@sh authoring/class-copy.sh --look '$(DIR)'
	@$(MAKE) --no-print-directory BUILD=$(BUILD) notes-reports
	@BUILD=$(BUILD) sh authoring/class-copy.sh '$(DIR)'
