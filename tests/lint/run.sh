#!/bin/bash
# make lint finds nothing in this tree, and each of its checks finds a fault that is planted in a copy. Ends with "N passed, N failed".
. "$(dirname "$0")/../suite.bash"

for check in format layers calls sizes texts cppcheck; do
    output=$(make --no-print-directory "lint-$check" 2>&1)
    status=$?
    verdict "lint-$check" "$([ $status -eq 0 ] && grep -q "^$check: " <<<"$output" || tail -n 20 <<<"$output")"
done

verdict "tests ask JSON by json_says alone" "$(grep -rnE '\bjq +-[a-zA-Z]*e' tests --include=*.sh --include=*.bash | grep -v '^tests/suite.bash:\|^tests/lint/run.sh:')"

# planted CHECK FILE TEXT: a copy of the tree with one more file in it.
tree=$work/tree
mkdir "$tree" && git ls-files -co --exclude-standard -z | xargs -0 cp --parents -t "$tree" 2>/dev/null && git -C "$tree" init -q
planted() {
    printf '%b' "$3" >"$tree/$2"
    output=$(make -C "$tree" --no-print-directory "lint-$1" CPPCHECK_FOLDERS=base LINT_FILES="$2" 2>&1)
    status=$?
    rm "$tree/$2"
    verdict "lint-$1 finds a fault" "$([ $status -ne 0 ] && grep -q "$2" <<<"$output" || echo "not the one in $2")"
}
planted format base/planted.c 'int   x ;\n'
planted layers base/planted.c '#include "gpu/gpu.h"\n'
planted sizes base/planted.c "$(yes 'int x;\n' | head -n 801 | tr -d '\n')"
planted texts base/texts.txt '[planted]\n  line  number\nMESSAGE\n    at line {line}\n'

# refused WHAT SAID TEXTS: no tables are made of texts that name what is not there, or leave out what is.
refused() {
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
planted cppcheck base/planted.c 'int f(void);\nint f(void)\n{\n    int a[2] = {0, 0};\n    return a[2];\n}\n'

# A function that is declared where it is used, without the header of the room above.
calls_up() { # text of base/planted.c: what the check says
    mkdir -p "$work/objects"
    printf '%b' "$1" >"$tree/base/planted.c"
    (cd "$tree" && gcc -MMD -c -o "$work/objects/planted.o" base/planted.c) && python3 "$tree/tests/lint/layers.py" calls "$build/obj" "$work/objects" 2>&1
    rm "$tree/base/planted.c"
}
build=$(realpath "$build")
cd "$tree" || exit 3
verdict "lint-calls finds a fault" "$(calls_up 'void ptx_load(void);\nvoid planted(void) { ptx_load(); }\n' | grep -q '^base/planted.c: base must not use ptx_load' || echo "not the one in base/planted.c")"
verdict "lint-calls wants every source built" "$(python3 tests/lint/layers.py calls "$work/objects" 2>&1 | grep -q 'has not been built' || echo "it does not")"
finish
