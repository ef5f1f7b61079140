# suite.bash - what every suite is made of, warpgrind's and the course's. A script that `make test` runs sources it first: it goes to the folder
# above the tests among which the script lies (or to TREE, for scripts that serve both), makes a folder of its own ($work, removed at the end), counts cases, and prints the last line "N passed, N failed".
# A script whose cases take long runs them with side_by_side. BUILD names the build folder. FILTER leaves only the cases whose name
# contains it; a filter that leaves none is a failure. With FIRST_FAILURE a suite ends there: impostors.sh asks no more.
set -u
suite_script=$(realpath "$0") suite_folder=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
. "$suite_folder/draw.bash"
cd "${TREE:-${suite_script%/tests/*}}" || exit 3
build=$(realpath -m "${BUILD:-build}")
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# selected NAME: whether FILTER asks for this case.
selected() { [[ $1 == *"${FILTER:-}"* ]]; }

# dear NAME: adds to $DEAR what was spent since the last case of this shell: milliseconds of processor time that was waited for, and the name.
dear_until=0
dear() {
    local user system spent thousandths now=0
    builtin times >"$DEAR.$BASHPID" # a suite may have a function of this name
    { read -r && read -r user system; } <"$DEAR.$BASHPID"
    for spent in "${user%s}" "${system%s}"; do
        thousandths=${spent#*m}
        now=$((now + 60000 * ${spent%m*} + 10#${thousandths/./}))
    done
    printf '%d\t%s\n' $((now - dear_until)) "$1" >>"$DEAR"
    dear_until=$now
}

# verdict NAME PROBLEM: counts a case; an empty problem is none. What a problem has below its first line is indented: run.sh shows it, too.
verdict() {
    selected "$1" || return 0
    [ -z "${DEAR:-}" ] || dear "$1"
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s: %s\n' "$1" "${2//$'\n'/$'\n'    }"
        [ -z "${FIRST_FAILURE:-}" ] || finish
    fi
}

# holds NAME STATUS: counts a condition by its exit status.
holds() {
    local problem=
    [ "$2" -eq 0 ] || problem="it is not so"
    verdict "$1" "$problem"
}

# json_says FILTER [FILE], with options of jq: whether the filter's last value is neither false nor null. jq takes a file with nothing in it
# for one of which everything holds, so no value at all is a failure here. Tests ask JSON by this alone (tests/lint/run.sh).
json_says() {
    local said
    said=$(jq -e "$@") && [ -n "$said" ]
}

# costs FILE COMMAND...: runs it, and leaves in FILE what it cost: user and system time in whole seconds of the processor, "1 + 0". Of
# the clock a command takes as much as else runs on the machine.
costs() {
    local TIMEFORMAT='%0U + %0S'
    { time "${@:2}" 2>&3 3>&-; } 3>&2 2>"$1"
}

# worker NUMBER FUNCTION: takes the lines of the queue that no other worker took, with a $work of its own, and leaves its counts. The
# workers share the queue's descriptor, and with it the place in the file; the lock's is each worker's own, and opened anew it holds no lock.
worker() {
    local all=$work line
    work=$all/worker-$1 passed=0 failed=0 dear_until=0
    mkdir -p "$work"
    exec 9>"$all/lock"
    while flock 9 && IFS= read -r line <&8; do
        exec 9>"$all/lock"
        "$2" "$line" 8<&- 9<&-
    done
    echo "$passed $failed" >"$all/count-$1"
}

# A case starts many small programs and waits for them: of half as many again as there are cores, that many work.
workers=$(($(nproc) + ($(nproc) + 1) / 2))

# side_by_side FUNCTION: calls it with each line of the standard input, on all cores, and adds up what it counts. A worker that dies
# is a failure.
side_by_side() {
    local number ok bad
    cat >"$work/queue"
    exec 8<"$work/queue"
    for ((number = workers; number > 0; number--)); do worker "$number" "$1" </dev/null & done
    wait
    for ((number = workers; number > 0; number--)); do
        read -r ok bad < <(cat "$work/count-$number" 2>/dev/null || echo 0 1)
        rm -f "$work/count-$number"
        passed=$((passed + ok)) failed=$((failed + bad))
    done
}

# sentences MATRIX TEXTS: who of the suite's programs was told which sentence, by their reports in $REPORTS (tests/sentences.py): a line "PASSED" or
# "FAILED ..." for each. With WRITE_SENTENCES the matrix is written anew in place of that.
sentences() {
    if [ -n "${WRITE_SENTENCES:-}" ]; then set -- --write "$@"; fi
    python3 "$suite_folder/sentences.py" "$@" "$REPORTS" || echo "FAILED sentences: exit status $?"
}

# count_sentences MATRIX TEXTS: the same as cases of this suite.
count_sentences() {
    local line
    while IFS= read -r line; do
        if [ "$line" = PASSED ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "$line"
        fi
    done < <(sentences "$@")
}

# finish: the last line. Cases that never ran prove nothing, so none at all is a failure; its exit status is 4.
finish() {
    local status=$((failed > 0))
    if [ $((passed + failed)) -eq 0 ]; then
        echo "FAILED: no case ran${FILTER:+ with \"$FILTER\" in its name}"
        failed=1 status=4
    fi
    echo "$passed passed, $failed failed"
    exit $status
}
