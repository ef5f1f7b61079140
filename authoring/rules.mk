# For teachers and authors: the repository that students get, and new lessons.

.PHONY: class-copy
class-copy:
	@sh authoring/class-copy.sh --look '$(DIR)'
	@$(MAKE) --no-print-directory BUILD=$(BUILD) notes-reports
	@BUILD=$(BUILD) sh authoring/class-copy.sh '$(DIR)'
