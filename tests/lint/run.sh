#!/bin/bash
# make lint finds nothing in this tree, and each of its checks finds a fault that is planted in a copy. Ends with "N passed, N failed".
. "$(dirname "$0")/../suite.bash"

for check in format layers sizes cppcheck; do
    output=$(make --no-print-directory "lint-$check" 2>&1)
    status=$?
    verdict "lint-$check" "$([ $status -eq 0 ] && grep -q "^$check: " <<<"$output" || tail -n 20 <<<"$output")"
done

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
planted cppcheck base/planted.c 'int f(void);\nint f(void)\n{\n    int a[2] = {0, 0};\n    return a[2];\n}\n'
finish
