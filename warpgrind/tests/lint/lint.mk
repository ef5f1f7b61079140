# make lint: format, static analysis, layers, sizes. The course's makefile includes this, too. LINT_PAGE has the table of layers, LINT_FOLDERS
# are those of the sources, LINT_NOT is the folder of files that are not ours to lay out.

LINT := $(dir $(lastword $(MAKEFILE_LIST)))
LINT_FILES = $(shell git ls-files -co --exclude-standard '*.c' '*.h' ':!$(LINT_NOT)')

.PHONY: lint lint-switches lint-format lint-cppcheck lint-guards lint-layers lint-calls lint-sizes lint-texts
lint: lint-format lint-switches lint-guards lint-layers lint-calls lint-sizes $(if $(wildcard */texts.txt),lint-texts) lint-cppcheck

# One version decides, Debian 12's, since another lays out a few lines in another way. Where it is not installed this says so and finds nothing wrong.
FORMAT_VERSION := 14
lint-format:
	@format=$$(command -v clang-format-$(FORMAT_VERSION) || command -v clang-format) || { echo "format: clang-format is not installed" >&2; exit 1; }; \
	is=$$($$format --version | sed 's/.*version \([0-9]*\).*/\1/'); \
	if [ "$$is" = $(FORMAT_VERSION) ]; then $$format --dry-run -Werror $(LINT_FILES) && echo "format: $(words $(LINT_FILES)) files"; \
	else echo "format: not looked at: version $(FORMAT_VERSION) of clang-format decides, and here is $$is"; fi

# A cast takes the enumeration away, and with it the compiler's word on what is missing.
lint-switches:
	@! grep -HnE 'switch \(\([a-z]+\)' $(LINT_FILES) && echo "switches: none is cast"

# A header whose head says that it is included at the end of a file makes something of what stands before it, each time anew.
lint-guards:
	@! grep -L '^#pragma once$$\|^ \* Included at the end of a file' /dev/null $(filter %.h,$(LINT_FILES)) | grep -v '^/dev/null$$' && echo "guards: $(words $(filter %.h,$(LINT_FILES))) headers"

lint-layers:
	@python3 $(LINT)layers.py $(LINT_PAGE) includes

lint-calls: all
	@python3 $(LINT)layers.py $(LINT_PAGE) calls $(OBJ)

lint-sizes:
	@sh $(LINT)sizes.sh $(LINT_FILES)

lint-texts:
	@python3 $(LINT)texts.py

# CPPCHECK_FILES: a part of them.
# nullPointerRedundantCheck: cppcheck takes a pointer for possibly NULL after BUG(), which does not return.
lint-cppcheck:
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	    --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches --suppress=nullPointerRedundantCheck $(INCLUDES) -D__x86_64__ \
	    -j2 $(or $(CPPCHECK_FILES),$(LINT_FOLDERS)) \
	    && echo "cppcheck: no complaint"
