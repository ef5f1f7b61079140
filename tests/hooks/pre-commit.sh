#!/bin/sh
# What `make hooks` has git run before each commit: the checks of make lint that take a second, on what is about to be committed, which need
# not be what lies in the folder. `git commit --no-verify` goes without.
set -eu
index=$(realpath "${GIT_INDEX_FILE:-$(git rev-parse --git-path index)}")
changed=$(git diff --cached --name-only --diff-filter=ACMR -- '*.c' '*.h' ':!warpgrind/include' | tr '\n' ' ')
GIT_DIR=$(git rev-parse --absolute-git-dir)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
git checkout-index --all --prefix="$tree/"
export GIT_DIR GIT_INDEX_FILE="$index" GIT_WORK_TREE="$tree"
cd "$tree"
unset MAKEFLAGS MAKELEVEL
[ -z "$changed" ] || make --no-print-directory lint-format LINT_FILES="$changed"
make --no-print-directory lint-layers lint-sizes
make --no-print-directory -C warpgrind lint-layers lint-sizes
