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
