#!/bin/bash
# Attacks on the grader: each file of attacks/ is a submission for lesson 01 that begins with prelude.cuh, a right answer. Its first
# lines say what must come out:
#   // verdict: V      pass, fail (when not given) or error
#   // kind: KIND      a finding of severity error of this kind (any: whichever); several lines: all of them
#   // says: TEXT      somewhere in the result     // never: TEXT   nowhere in it
#   // untold: N       of the seconds that judging it takes by the clock, the result leaves out as many
#   // limit: N         its program has N seconds, and not its lesson's ten
#   // options: WORDS  what `check` is called with besides
#   // twice: yes       it is judged a second time, as what comes after it
#   // lesson: 18-...   it is for this lesson, and begins with its solution
#   // instead: NAME    whose function of this name, which the attack has, is `instead_of` there
# BUILD names the build folder; FILTER limits the files by their names. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
. tests/cli/limited.bash
warpschool=$build/bin/warpschool
export NO_COLOR=1 LC_ALL=C.UTF-8

field() { sed -n "s,^// $1: ,,p" "$2"; }

# The number of a message on the socket: its row in the table.
message() { awk -v name="$1" '/^(WIRE_MESSAGE|WIRE_ONE_WAY|API_FUNCTION|API_LIKE|API_REFUSED)\(/ { if (index($0, "(" name ",")) print n + 0; n++ }' warpgrind/cudart/api.def; }

submit() { # attack, submission
    {
        head -n 30 "$1" | grep '^// '
        printf '#define MARK %s\n#define GOODBYE %s\n' "$(message MARK)" "$(message GOODBYE)"
        local lesson
        lesson=$(field lesson "$1")
        if [ -n "$lesson" ]; then
            sed -E "s,^([a-z]\w*( \*|  *))$(field instead "$1")\(,static \1instead_of(," "solutions/$lesson/solution.cu"
        else
            cat tests/cli/attacks/prelude.cuh
        fi
        printf '#line 1 "%s"\n' "$(basename "$1")"
        cat "$1"
    } >"$2"
}

judge() { # attack, submission
    local file=$1 problem="" result=$work/result.json wanted kind untold began=$EPOCHREALTIME
    wanted=$(field verdict "$file")
    local lesson
    lesson=$(field lesson "$file")
    # shellcheck disable=SC2046 # options are words
    costs "$work/time" timeout 400 "$warpschool" --root "$(root_with "$(field limit "$file")")" check "${lesson:-01}" "$2" --json $(field options "$file") >"$result" 2>"$work/stderr"
    [ "$(jq -r .verdict "$result" 2>&1)" = "${wanted:-fail}" ] ||
        problem="verdict $(jq -r .verdict "$result" 2>&1), not ${wanted:-fail}: $(jq -c '[.problem, .cases[].message, (.findings[] | .kind + ": " + .message)]' "$result" | head -c 900)"
    problem+=$(overspent "$work/time")
    untold=$(field untold "$file")
    [ -z "$untold" ] || json_says --argjson began "$began" --argjson ended "$EPOCHREALTIME" --argjson untold "$untold" \
        '$ended - $began - .seconds >= $untold' "$result" ||
        problem="$problem; of the time between $began and $EPOCHREALTIME it tells $(jq .seconds "$result") s"
    for kind in $(field kind "$file"); do
        json_says --arg k "$kind" '[.findings[] | select(.severity == "error" and ($k == "any" or .kind == $k))] | length > 0' "$result" ||
            problem="$problem; expected $kind, found $(jq -c '[.findings[] | .severity + " " + .kind]' "$result")"
    done
    while read -r text; do
        [ -z "$text" ] || grep -qF -- "$text" "$result" || problem="$problem; does not say: $text"
    done <<<"$(field says "$file")"
    while read -r text; do
        [ -z "$text" ] || ! grep -qF -- "$text" "$result" || problem="$problem; says: $text"
    done <<<"$(field never "$file")"
    verdict "$file" "$problem"
    [ -z "${SHOW:-}" ] || jq . "$result"
}

# Two that wait a minute for a time limit come early this way, and cost the others nothing.
chosen() {
    local file
    for file in tests/cli/attacks/*.cu; do
        ! selected "$file" || echo "$file"
    done | sort -r | drawn 3 "attacks"
}
attack() { # file
    local submission
    submission=$work/$(basename "$1")
    submit "$1" "$submission"
    judge "$1" "$submission"
    [ -z "$(field twice "$1")" ] || judge "$1" "$submission"
}
side_by_side attack < <(chosen)

# ---- what is handed in ----

refused() { # name, path, text that must be said
    local output status
    output=$(timeout 200 "$warpschool" check 01 "$2" 2>&1)
    status=$?
    case $status:$output in 2:*"$3"*) verdict "$1" "" ;; *) verdict "$1" "exit status $status: $(head -c 300 <<<"$output")" ;; esac
}

if selected "a symbolic link"; then
    ln -s "$PWD/solutions/01-vector-add/solution.cu" "$work/link.cu"
    refused "a symbolic link" "$work/link.cu" "symbolic link"
    ln -s /etc/shadow "$work/secret.cu"
    refused "a symbolic link to what others may not read" "$work/secret.cu" "symbolic link"
    ln -s nowhere "$work/nowhere.cu"
    refused "a symbolic link to nothing" "$work/nowhere.cu" "symbolic link"
    refused "a device" /dev/zero "not an ordinary file"
fi

finish
