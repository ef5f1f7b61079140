#!/bin/sh
# The margins of the sources $@ as one JSON array: [{"file", "line", "how", "kinds"}]. A margin is `// HOW: KIND KIND; words`; a line may have several.
#   expect: an error of that kind names this line       expect-note: a note does
#   expect-unplaced: an error of that kind, which names no line, since the whole program was stopped
#   also: more of that kind may be found, at any line
#   kind: what a whole submission of tests/cli/hostile ends with
#   over-budget: the words behind it are lines of a lesson's budget (tests/lessons/run.sh)
#   near: it looks like that kind, and is right        near-note: the same of a kind that is a note here
grep -HnE '// (expect|expect-note|expect-unplaced|near|near-note|also|kind): ' "$@" | grep -v '// kind: any' |
    jq -cnR '[inputs | capture("^(?<file>[^:]*):(?<line>[0-9]+):(?<text>.*)") as $at
              | $at.text | scan("// (expect|expect-note|expect-unplaced|near|near-note|also|kind): ([a-z -]*)")
              | {file: $at.file, line: ($at.line | tonumber), how: .[0], kinds: (.[1] | sub("over-budget .*"; "over-budget") | split(" ") - [""])}]'
