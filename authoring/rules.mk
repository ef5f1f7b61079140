# For teachers and authors: the repository that students get, and new lessons.

.PHONY: new-lesson check-lesson
new-lesson:
	@sh authoring/new-lesson.sh '$(NAME)'
check-lesson: all
	@BUILD=$(BUILD) sh authoring/check-lesson.sh '$(LESSON)'

.PHONY: class-copy
class-copy:
	@sh authoring/class-copy.sh --look '$(DIR)'
	@$(MAKE) --no-print-directory BUILD=$(BUILD) notes-reports
	@BUILD=$(BUILD) sh authoring/class-copy.sh '$(DIR)'
