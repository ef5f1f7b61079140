#!/bin/bash
# `make mutate` itself, in a small tree of its own: a step that the tests notice, one that they do not, one that does not build, and tests that fail
# without any change. And what it relies on in this tree: each word of near.txt is one that cases of its suite have in their names, and the matrix of
# sentences is compared in a checkout whose folder lies in one named build, too. Needs clang. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"

# ---- a tree of one file and one test ----

tree=$work/tree
mkdir -p "$tree/tests/mutate" "$tree/autograder" "$tree/build"
cp tests/mutate/*.py "$tree/tests/mutate/"
git init -q "$tree"
cat >"$tree/autograder/sum.c" <<'END'
int sum(int most);
int sum(int most) {
    int all = 0;
    for (int i = 1; i <= most; i++) all += i;
    if (most > 1000) return -1;
    return all;
}
END
cat >"$tree/autograder/test.c" <<'END'
int sum(int most);
int main(void) {
    return sum(4) != 10;
}
END
printf 'all:\n\t@cc -Wall -Werror -o build/test autograder/sum.c autograder/test.c\n' >"$tree/Makefile"
printf 'test: all\n\t@build/test && echo "1 passed, 0 failed" || { echo "0 passed, 1 failed"; exit 1; }\n' >>"$tree/Makefile"
echo 'autograder | sum | near=sum' >"$tree/tests/mutate/near.txt"
cat >"$tree/changes" <<'END'
autograder/sum.c | i <= most | i < most
autograder/sum.c | most > 1000 | most > 1001
autograder/sum.c | int all = 0; | int all = "";
autograder/sum.c | return all; | return all + 0;
autograder/sum.c | no such line | another
END
echo 'autograder/sum.c | return all; | return all + 0; | a sum with nothing is the sum' >"$tree/tests/mutate/equivalent.txt"

mutate() { # NAME=VALUE...: leaves what is said in $work/said
    (cd "$tree" && env -u FILTER BUILD=build MINUTES=9 "$@" PYTHONDONTWRITEBYTECODE=1 python3 tests/mutate/mutate.py) >"$work/said" 2>&1
}
says() { grep -qF -- "$1" "$work/said" || cat "$work/said"; }

mutate CHANGES=changes ALL=no
verdict "a change that a test notices" "$(says 'killed      autograder/sum.c:4: by the list: unit sum')"
verdict "one that none does" "$(says 'survived    autograder/sum.c:5: by the list: the nearest suites')"
verdict "one that does not build" "$(says 'no build    autograder/sum.c:3: by the list')"
verdict "one that nobody could notice" "$(says 'equivalent  autograder/sum.c:6: by the list: a sum with nothing is the sum')"
verdict "a row whose text is not there" "$(says 'not found   autograder/sum.c: no such line')"
verdict "the count" "$(says '1 killed, 1 survived, 1 no build, 1 equivalent, 0 not tried')"
mutate ROOM='autograder :!autograder/test.c' N=4 SEED=3 ALL=no
verdict "changes that are drawn, and none of what is left out" "$([ "$(grep -cE '^(killed|survived|no build) .*autograder/sum.c' "$work/said")" -eq 4 ] && grep -q '[1-9] killed' "$work/said" || cat "$work/said")"
sed -i 's/!= 10/!= 11/' "$tree/autograder/test.c"
mutate ROOM=autograder N=1
verdict "tests that fail without a change are named" "$(says 'these fail without a change: unit sum, near sum')"

# ---- what it relies on here ----

# has_case SUITE WORD: whether a case of the suite has the word in its name, as far as files tell: their own names, and the words of the suite's script.
git ls-files tests warpgrind/tests solutions starter >"$work/files"
has_case() {
    local script
    script=$(awk -F' *[|] *' -v name="$1" '$1 == name { print $NF; exit }' tests/suites.txt warpgrind/tests/suites.txt | grep -o '[a-z/-]*tests/[a-z/-]*\.sh')
    [ -n "$script" ] || { echo "there is no suite $1"; return; }
    { cat "$work/files"; grep -hs 'verdict ' "$script" "warpgrind/$script"; } | grep -F -e "$2" >/dev/null || echo "no case has $2 in its name"
}
while IFS='|' read -r room word others; do
    verdict "near.txt, $room: unit $word" "$(has_case unit "$word")"
    while read -r other; do
        case $other in
            *=*) verdict "near.txt, $room: $other" "$(has_case "${other%%=*}" "${other#*=}")" ;;
            ?*) verdict "near.txt, $room: $other" "$(has_case "$other" "")" ;;
        esac
    done <<<"${others//,/$'\n'}"
done < <(sed '/^#/d; s/ *| */|/g' tests/mutate/near.txt)

mkdir -p "$work/build/copy/warpgrind/tests" "$work/build/copy/warpgrind/check" "$work/reports"
cp warpgrind/tests/sentences.py "$work/build/copy/warpgrind/tests/"
cp warpgrind/check/texts.txt "$work/build/copy/warpgrind/check/"
python3 "$work/build/copy/warpgrind/tests/sentences.py" "$work/none.txt" "$work/build/copy/warpgrind/check/texts.txt" "$work/reports" >"$work/said" 2>&1
verdict "sentences are found in a copy that lies in a build folder" "$([ $? -eq 0 ] || cat "$work/said")"
finish
