#!/bin/bash
# The question bank (make questions): each lesson has its questions, in three forms that hold the same; what lacks something is refused.
# Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export LC_ALL=C.UTF-8
bank=$work/bank
output=$(sh authoring/questions/questions.sh "$bank" 2>&1)
holds "the bank is written, without a warning: $output" "$([ $? -eq 0 ] && [[ $output == "questions: "*" lessons" ]] && [ "$(wc -l <<<"$output")" -eq 1 ]; echo $?)"
for lesson in $(cd lessons && ls -d [0-9]*); do
    count=$(sed -n "s/ $lesson\$//p" "$bank/lessons")
    holds "$lesson has six questions or more ($count)" "$([ "${count:-0}" -ge 6 ]; echo $?)"
done
holds "XML of Moodle and of QTI is well formed" "$(xmllint --noout "$bank/moodle.xml" "$bank"/qti/*.xml 2>/dev/null; echo $?)"
python3 -m zipfile -e "$bank/qti.zip" "$work/package"
verdict "the three forms have the same questions" "$(python3 tests/authoring/questions.py "$bank/moodle.xml" "$bank/questions.gift" "$work/package" 2>&1)"

# A lesson of one question, which is good, and what may be wrong with it: what is said, a change of the text.
mkdir -p "$work/tree/lessons/01-one" && ln -s "$PWD/authoring" "$PWD/docs" "$work/tree/"
question() { # sed script
    {
        printf '# One\n\n'
        sed "$1" <<'MD'
## Which

Text with ~, =, #, {, } and `a<b>&c`.

```c
one;

two;
```

A.  First
B.  Second
C.  Third

::: {.fold title="Answer"}
**B.** Right.

*A* and *C*: wrong.
:::
MD
    } >"$work/tree/lessons/01-one/lesson.md"
    (cd "$work/tree" && sh authoring/questions/questions.sh out 2>&1)
}
output=$(question '')
holds "a plain question is taken: $output" "$([ "$output" = "questions: 1 of 1 lessons" ]; echo $?)"
verdict "and is the same in all forms, with every special character" "$(python3 tests/authoring/questions.py "$work/tree/out/moodle.xml" "$work/tree/out/questions.gift" "$work/tree/out/qti" 2>&1)"
refused() { # what, words of the message, sed script
    output=$(question "$3")
    status=$?
    holds "refused: $1: $output" "$([ $status -ne 0 ] && grep -qF -- "$2" <<<"$output"; echo $?)"
}
refused "a choice without a reason" "01-one: Which: nothing says why C is right or wrong" 's/ and \*C\*//'
refused "two right ones" "Which: 2 choices are right, not one" 's/^\*A\* and \*C\*.*/**A.** Too.\n\n*C*: no./'
refused "none right" "Which: 0 choices are right, not one" 's/\*\*B\.\*\*/*B*:/'
refused "a reason for nothing" "Which: there is no choice E" 's/\*C\*/*C* and *E*/'
refused "two choices" "Which: a question has three choices or more" '/^C\./d;s/ and \*C\*//'
finish
