#!/bin/bash
# make lint finds nothing in this tree, and each of its checks finds a fault that is planted in a copy: in FOLDER, which must use neither the header
# ABOVE nor the function UP. PAGE has the table of layers. Ends with "N passed, N failed".
. "$(dirname "$0")/../suite.bash"
folder=${FOLDER:-base} above=${ABOVE:-gpu/gpu.h} up=${UP:-ptx_load} page=${PAGE:-docs/design.md} layers=$(dirname "$suite_script")/layers.py
objects=$build/obj
[ "$folder" != base ] || objects+=/engine

checks=(format switches guards layers calls sizes cppcheck)
! compgen -G "*/texts.txt" >/dev/null || checks+=(texts)
# cppcheck takes minutes for all of them.
some=$(sed -n 's/^LINT_FOLDERS := //p' tests/rules.mk | xargs git ls-files -co --exclude-standard -- | grep '\.c$' | drawn 5 "sources that cppcheck reads" | xargs)
for check in "${checks[@]}"; do
    output=$(make --no-print-directory BUILD="$build" "lint-$check" CPPCHECK_FILES="$some" 2>&1)
    status=$?
    verdict "lint-$check" "$([ $status -eq 0 ] && grep -q "^$check: " <<<"$output" || tail -n 20 <<<"$output")"
done

verdict "tests ask JSON by json_says alone" "$(grep -rnE '\bjq +-[a-zA-Z]*e' tests --include=*.sh --include=*.bash | grep -v '^tests/suite.bash:\|^tests/lint/run.sh:')"

# planted CHECK FILE TEXT: a copy of the tree with one more file in it.
tree=$work/tree
mkdir "$tree" && git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t "$tree" 2>/dev/null && git -C "$tree" init -q
planted() {
    printf '%b' "$3" >"$tree/$2"
    output=$(make -C "$tree" --no-print-directory "lint-$1" LINT_FOLDERS="$folder" LINT_FILES="$2" 2>&1)
    status=$?
    rm "$tree/$2"
    verdict "lint-$1 finds a fault" "$([ $status -ne 0 ] && grep -q "$2" <<<"$output" || echo "not the one in $2")"
}
# Another version than the one that decides finds nothing.
if reason=$(make --no-print-directory lint-format LINT_FILES= 2>&1 | grep 'not looked at'); then
    echo "SKIPPED lint-format finds a fault: ${reason#*: }"
else
    planted format "$folder/planted.c" 'int   x ;\n'
fi
planted switches "$folder/planted.c" 'void f(int x) {\n    switch ((int)x) {\n    }\n}\n'
planted guards "$folder/planted.h" 'int planted;\n'
planted layers "$folder/planted.c" "#include \"$above\"\\n"
planted sizes "$folder/planted.c" "$(yes 'int x;\n' | head -n 801 | tr -d '\n')"
if [ "$folder" = base ]; then
    planted layers gpu/alu/planted.c '#include "gpu/memory/memory_access.h"\n'
    planted layers check/planted.c '#include "gpu/state/machine.h"\n'
    planted layers check/order/planted.c '#include "check/races/races.h"\n'
    planted layers device/watch/planted.c '#include "device/streams/queue.h"\n'
else
    planted layers autograder/check/planted.c '#include "autograder/run/run.h"\n'
    planted layers lessons/common/planted.c '#include "autograder/check/cases.h"\n'
fi
[[ ${checks[*]} != *texts* ]] || planted texts "$folder/texts.txt" '[planted]\n  line  number\nMESSAGE\n    at line {line}\n'
planted cppcheck "$folder/planted.c" 'int f(void);\nint f(void)\n{\n    int a[2] = {0, 0};\n    return a[2];\n}\n'

# refused WHAT SAID TEXTS: no tables are made of texts that name what is not there, or leave out what is.
refused() {
    [ "$folder" = base ] || return 0 # once is enough
    printf '%b' "$3" >"$work/texts.txt"
    output=$(awk -v part=.h -v name=planted -v types=base/say.h -f base/texts.awk "$work/texts.txt" 2>&1 >/dev/null)
    status=$?
    verdict "texts.awk refuses $1" "$([ $status -ne 0 ] && grep -q "$2" <<<"$output" || echo "status $status, says: $output")"
}
refused "a place that is not there" 'no place lines' '[planted]\n  line  number\nMESSAGE\n    at line {line} of {lines}\n'
refused "a condition without its place" 'no place shared' '[planted]\n  line  number\nMESSAGE\n  shared:\n    at line {line}\n'
refused "a place that no text names" 'no text names line' '[planted]\n  line  number\nMESSAGE\n    somewhere\n'
refused "a text that is not there" 'no text WHERE' '[planted]\n  line  number\nMESSAGE\n    {WHERE} {line}\n'
refused "a noun for what is no count" 'line is no count' '[planted]\n  line  number\nMESSAGE\n    {line:line|lines}\n'
refused "a variant that is never said" 'never said' '[planted]\n  line  number\nMESSAGE\n    at {line}\n  line:\n    at {line}\n'
refused "braces that do not match" 'braces do not match' '[planted]\n  line  number\nMESSAGE\n    at {line\n'

# A function that is declared where it is used, without the header of the room above.
calls_up() { # text of planted.c: what the check says
    mkdir -p "$work/objects"
    printf '%b' "$1" >"$tree/$folder/planted.c"
    (cd "$tree" && gcc -MMD -c -o "$work/objects/planted.o" "$folder/planted.c") && python3 "$layers" "$page" calls "$objects" "$work/objects" 2>&1
    rm "$tree/$folder/planted.c"
}
cd "$tree" || exit 3
verdict "lint-calls finds a fault" "$(calls_up "void $up(void);\\nvoid planted(void) { $up(); }\\n" | grep -q "^$folder/planted.c: $folder must not use $up" || echo "not the one in $folder/planted.c")"
# room_calls_up ROOM FUNCTION SOURCE: the room must not use the function, which is defined there.
room_calls_up() {
    verdict "lint-calls finds that $1 calls upwards" "$(folder=$1 calls_up "void $2(void);\\nvoid planted(void) { $2(); }\\n" |
        grep -q "^$1/planted.c: $1 must not use $2 of $3" || echo "not the one in $1/planted.c")"
}
if [ "$folder" = base ]; then
    room_calls_up gpu/state gpu_module_unload gpu/launch/load.c
    room_calls_up check/findings heap_tell check/faults/heap.c
    room_calls_up device/watch queue_drop_all device/streams/queue.c
else
    room_calls_up autograder/sandbox result_add autograder/check/result.c
fi
# nine files, of which each calls the next one's function and the last the first one's.
mkdir -p "$work/knot"
for i in 0 1 2 3 4 5 6 7 8; do
    printf 'void knot%d(void);\nvoid knot%d(void);\nvoid knot%d(void) { knot%d(); }\n' $i $(((i + 1) % 9)) $i $(((i + 1) % 9)) >"$folder/planted$i.c"
    gcc -MMD -c -o "$work/knot/planted$i.o" "$folder/planted$i.c"
done
knot() { python3 "$layers" "$page" calls "$objects" "$work/knot" 2>&1; }
verdict "lint-calls finds a knot of nine files" "$(knot | grep -q "^$folder/planted0.c: 9 files need each other" || echo "it does not")"
printf 'void knot8(void);\nvoid knot8(void) {}\n' >"$folder/planted8.c"
gcc -MMD -c -o "$work/knot/planted8.o" "$folder/planted8.c"
verdict "lint-calls lets a chain of nine files be" "$(knot | grep planted)"
rm "$folder"/planted[0-8].c

verdict "lint-calls wants every source built" "$(python3 "$layers" "$page" calls "$work/objects" 2>&1 | grep -q 'has not been built' || echo "it does not")"
finish
