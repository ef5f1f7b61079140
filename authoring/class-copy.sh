#!/bin/sh
# `make class-copy DIR=...`: writes the repository that students get. class-copy.txt says what is in it; pages show what they show of mutants and
# their reports as text, so that neither need be there. BUILD names the build folder, which has the reports (`make notes-reports`).
# With --look it says what is wrong with DIR, and writes nothing.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build} table=authoring/class-copy.txt
look=
[ "${1:-}" != --look ] || { look=yes; shift; }
to=${1:-}

refuse() { # message, remedy
    printf 'class-copy: %s\n  %s\n' "$1" "$2" >&2
    exit 2
}

[ -n "$to" ] || refuse "the folder is missing" "make class-copy DIR=../cuda-course"
[ ! -e "$to" ] || [ -d "$to" ] || refuse "$to is there, and is no folder" "name a folder that is not there yet"
[ ! -d "$to" ] || [ -z "$(ls -A -- "$to")" ] || refuse "$to is there, and not empty" "name a folder that is not there yet, or empty this one first"
parent=$(dirname -- "$to")
[ -d "$parent" ] && [ -w "$parent" ] || refuse "$parent is no folder that you can write to" "make it first, or name another one"
[ -z "$look" ] || exit 0
[ -f "$build/site-data/front.txt" ] || refuse "$build has no reports for the pages" "make notes-reports, or make class-copy, which makes them"

# It has its name only when it is whole.
made=$(mktemp -d -- "$parent/.class-copy.XXXXXX")
trap 'rm -rf -- "$made"' EXIT

words() { awk -v what="$1" '$1 == what { print $2 }' "$table"; }

# Prints PATH when a pattern of FILE has it; in a pattern * stands for slashes as well, as in the shell's `case`.
matching() { # file of patterns
    while IFS= read -r path; do
        while IFS= read -r pattern; do
            # shellcheck disable=SC2254 # a pattern
            case $path in $pattern) printf '%s\n' "$path"; break ;; esac
        done <"$1"
    done
}

# All files that belong to the tree; in one without git, those that are in folders which `keep` names.
all_files() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -co --exclude-standard
    else
        find . -type f ! -path './build*' ! -path './work/*' | sed 's,^\./,,'
    fi
}

list_files() {
    words keep >"$made/keep"
    words drop >"$made/drop"
    all_files | sort | matching "$made/keep" >"$made/kept"
    matching "$made/drop" <"$made/kept" >"$made/dropped"
    grep -vxF -f "$made/dropped" "$made/kept" || true
}

copy_files() {
    list_files >"$made/list"
    mkdir "$made/copy"
    while IFS= read -r file; do
        [ -f "$file" ] || continue # deleted, and not yet committed
        mkdir -p "$made/copy/$(dirname "$file")"
        cp -p "$file" "$made/copy/$file"
    done <"$made/list"
}

# Students have no such files: a report names them without our folders.
without_folders() { sed 's,[a-z./0-9-]*/\([A-Za-z0-9-]*\.\(cu\|h\)\),\1,g' "$1"; }

# What the tool says of a mutant on the page of LESSON.
copy_reports() { # lesson, its page in the copy
    sed -n 's/^```{\.report mutant="\([a-z0-9-]*\)"}.*/\1/p' "$2" | while read -r mutant; do
        mkdir -p "$made/copy/lessons/$1/reports"
        without_folders "$build/site-data/$1/$mutant.txt" >"$made/copy/lessons/$1/reports/$mutant.txt"
    done
}

write_pages() {
    for page in lessons/[0-9]*/lesson.md; do
        lesson=$(basename "$(dirname "$page")")
        awk -f authoring/class-page.awk "$page" | sed -z -E 's/[ \n]\(the variants are in `solutions[^)]*\)//g' >"$made/copy/$page"
        copy_reports "$lesson" "$made/copy/$page"
    done
    mkdir -p "$made/copy/docs/build/reports"
    for report in "$build"/site-data/findings/*.txt; do
        without_folders "$report" >"$made/copy/docs/build/reports/$(basename "$report")"
    done
}

write_own_files() {
    cp authoring/class/README.md "$made/copy/README.md"
    cp authoring/class/gitignore "$made/copy/.gitignore"
    cp authoring/class/documents.md "$made/copy/docs/build/documents.md"
    words without-package >"$made/without"
    words without-job >"$made/without-jobs"
    awk -v list="$made/without" -v jobs="$made/without-jobs" 'BEGIN { while ((getline name < list) > 0) without[name] = 1
            while ((getline job < jobs) > 0) without_job[job] = 1 }
        /^#/ || !($1 in without || $2 in without_job)' autograder/packages.txt \
        >"$made/copy/autograder/packages.txt"
}

copy_files
write_pages
write_own_files
[ ! -d "$to" ] || rmdir -- "$to"
mv -- "$made/copy" "$to"
echo "class-copy: $(find "$to" -type f | wc -l) files in $to. It is no git repository yet; students begin with: make setup exercise"
