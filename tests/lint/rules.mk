# make lint: format, static analysis, layers, sizes.

LINT_FILES = $(shell git ls-files -co --exclude-standard '*.c' '*.h' | grep -v '^warpgrind/include/')

.PHONY: lint lint-format lint-cppcheck lint-layers lint-calls lint-sizes lint-texts
lint: lint-format lint-layers lint-calls lint-sizes lint-texts lint-cppcheck

lint-format:
	@clang-format --dry-run -Werror $(LINT_FILES) && echo "format: $(words $(LINT_FILES)) files"

lint-layers:
	@python3 tests/lint/layers.py includes

lint-calls: all
	@python3 tests/lint/layers.py calls $(BUILD)/obj

lint-sizes:
	@sh tests/lint/sizes.sh

lint-texts:
	@python3 tests/lint/texts.py

CPPCHECK_FOLDERS ?= base warpgrind/ptx warpgrind/gpu warpgrind/check warpgrind/cudart warpgrind/curand warpgrind/device warpgrind/warpcc autograder grading warpschool
# nullPointerRedundantCheck: cppcheck takes a pointer for possibly NULL after BUG(), which does not return.
lint-cppcheck:
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	    --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches --suppress=nullPointerRedundantCheck -I. -Iwarpgrind -D__x86_64__ \
	    -j2 $(CPPCHECK_FOLDERS) \
	    && echo "cppcheck: no complaint"

.PHONY: hooks
hooks:
	@sh tests/lint/hooks.sh
