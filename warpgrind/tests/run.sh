#!/bin/bash
# Runs the suites of the tables that are named, about one per core at a time and one that mostly waits beside them, each in the folder above its table's, and adds up. Each ends with a line
# "N passed, N failed", and so does this one; a suite that dies without that line, or runs no case, counts as a failure.
# A row that names folders is drawn: a commit takes one such suite in six, others with each commit, and all that look at what it changes (draw.bash).
# SUITE limits the run to one suite, FILTER to the cases with this word in their name. Each suite has a TMPDIR of its own.
# TIMES=1 ends with a table of what each suite took: seconds, and processor time of itself and all that it waited for; what was killed, such as a sandbox
# or a browser, nobody waits for. Behind it come the dearest cases of all suites, as many as TIMES says, 1 for 20. The last line has what all cores did
# meanwhile, whoever asked for it.
# With --asked it runs nothing, and names the suites that it would run, each as one word: sanitized-unit.
set -u
. "$(dirname "$0")/draw.bash"
[ "${*: -1}" != --asked ] || { only_asked=1 && set -- "${@:1:$#-1}"; }
tables=("${@:-tests/suites.txt}")
scratch=$(mktemp -d) || exit 3
chmod 711 "$scratch" # a case is run by another user
trap 'rm -rf "$scratch"' EXIT
BUILD=$(realpath -m "${BUILD:-build}")
export BUILD
unset MAKEFLAGS MAKELEVEL # a suite that calls make calls one of its own
# Suites ask the Python whose modules make setup brings. Another one on the path may be a script that looks for it, at ten times the cost.
if [ -x /usr/bin/python3 ]; then
    mkdir "$scratch/first" && ln -s /usr/bin/python3 "$scratch/first/python3" && PATH=$scratch/first:$PATH
fi
# The seconds that a suite may take, several times what the longest does on a slow machine: one that hangs is told, and the others count.
most=${SUITE_SECONDS:-2400}
[ -z "${WHOLE:-}" ] || most=0

# rows [PART...]: TREE|NAME|CASE|FOLDERS|COMMAND of these parts of the tables: what mostly waits, what works, what uses all cores.
rows() {
    local part table
    for part in ${*:-waits works cores}; do
        for table in "${tables[@]}"; do
            awk -v part="$part" -v tree="$(dirname "$(dirname "$table")")" '
                FNR == NR { if (/^====$/) waits = 1; next }
                FNR == 1 { at = waits ? "waits" : "works" }
                /^====$/ { at = "works" }
                /^----$/ { at = "cores" }
                /^[#=-]/ || at != part { next }
                { gsub(/ *\| */, "|"); print tree "|" $0 }' "$table" "$table"
        done
    done
}
# named NAME: how many suites have this name.
named() { rows | cut -d'|' -f2 | grep -cxF "$1"; }

if [ -n "${SUITE:-}" ] && [ -z "${only_asked:-}" ] && [ "$(named "$SUITE")" -eq 0 ]; then
    echo "there is no suite \"$SUITE\"; the suites: $(rows | cut -d'|' -f2 | awk '!seen[$0]++' | paste -sd, | sed 's/,/, /g')" >&2
    exit 2
fi

# The last line of a suite's output decides, and its exit status must agree.
count_suite() { # output, status: sets ok and bad
    if [[ $(tail -n 1 "$1") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        ok=${BASH_REMATCH[1]} bad=${BASH_REMATCH[2]}
        [ "$2" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    else
        ok=0 bad=1
    fi
    [ "$ok" -gt 0 ] || [ "$bad" -gt 0 ] || bad=1
}

# What the shell's `times` says of its children's user and system time, as seconds.
children_seconds() { # output of times
    awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); all += 60 * t[1] + t[2] } printf "%.1f", all }' "$1"
}

# The cases that failed, with the indented lines below each, as far as 60 lines go round; none is a failure.
failures() { # output
    local cases
    cases=$(grep -c '^FAILED' "$1") || return
    awk -v each=$((60 / cases - 1)) '/^FAILED/ { left = each; print; next } /^    / && left > 0 { left--; print; next } { left = 0 }' "$1"
}

run_suite() { # number, tree, name, command
    local folder=$scratch/$1 started=$SECONDS label=$3 ok bad
    [ "$2" = . ] || label="$(basename "$2"): $3"
    mkdir -p "$folder/tmp"
    [ -z "${TIMES:-}" ] || export DEAR=$folder/dear
    (cd "$2" && TMPDIR=$folder/tmp exec timeout -k 10 "$most" bash -c "$4") >"$folder/output" 2>&1 </dev/null
    local status=$?
    [ $status -ne 124 ] || echo "FAILED: it took more than $most s" >>"$folder/output"
    # A filter alone asks every suite, and most have no such case; so may one of two suites of this name.
    if [ $status -eq 4 ] && [ -n "${FILTER:-}" ] && { [ -z "${SUITE:-}" ] || [ "$(named "$SUITE")" -gt 1 ]; }; then echo 0 0 >"$folder/count" && return; fi
    times >"$folder/cpu" # each suite has a shell of its own, so these are its children
    count_suite "$folder/output" $status
    # A suite that cannot run here says why in a line SKIPPED, and counts for nothing.
    if [ $status -eq 77 ] && grep -q '^SKIPPED ' "$folder/output"; then ok=0 bad=0; fi
    echo "$ok $bad" >"$folder/count"
    printf '%s\t%d\t%d\t%s\n' "$label" $((ok + bad)) $((SECONDS - started)) "$(children_seconds "$folder/cpu")" >"$folder/times"
    { # in one piece, whatever ends beside it
        printf '%-28s %4d passed %4d failed %5d s\n' "$label" "$ok" "$bad" $((SECONDS - started))
        grep -iE '^(skipped|drawn)' "$folder/output" | sort | uniq
        [ "$bad" -eq 0 ] || { failures "$folder/output" || tail -n 20 "$folder/output"; } | head -n 60
    } >"$folder/says"
    flock "$scratch" cat "$folder/says"
}

# The seconds that all cores together have worked since the machine started.
worked() { awk -v ticks="$(getconf CLK_TCK)" '/^cpu / { printf "%d", ($2 + $3 + $4 + $7 + $8) / ticks }' /proc/stat; }
worked_before=$(worked)

# start NUMBER ROW: the suite of this row.
start() {
    local tree name command
    IFS='|' read -r tree name _ _ command <<<"$2"
    run_suite "$1" "$tree" "$name" "$command"
}
# left_out: TREE|NAME of the suites that this commit does not draw. Of a suite that is named all is asked for.
left_out() {
    local tree
    [ -z "${SUITE:-}" ] || return 0
    for tree in $(rows | cut -d'|' -f1 | sort -u); do
        rows | awk -F'|' -v tree="$tree" '$1 == tree && $4 != "-" { print $2 "|", $4 }' >"$scratch/rows"
        (cd "$tree" && drawn 6 suites <"$scratch/rows" 2>/dev/null) | cat - "$scratch/rows" | sed 's/|.*//' | sort | uniq -u | sed "s,^,$tree|,"
    done
}
left_out >"$scratch/left"
# asked PART...: the rows of the suites that are asked for.
asked() { rows "$@" | awk -F'|' -v suite="${SUITE:-}" 'out { left[$0]; next } (suite == "" || $2 == suite) && !(($1 "|" $2) in left)' out=1 "$scratch/left" out= -; }
[ -z "${only_asked:-}" ] || { asked | cut -d'|' -f2 | tr ' ' - | xargs; exit; }
mapfile -t waiting < <(asked waits)
mapfile -t working < <(asked works)
alone=${#working[@]} # how many take one core each; those behind them take all
mapfile -t -O "$alone" working < <(asked cores)
number=$((${#waiting[@]} + ${#working[@]}))
# What mostly waits takes no core from the others: one after another, beside them. Each has a shell of its own, whose times are the suite's.
{ for ((i = 0; i < ${#waiting[@]}; i++)); do (start $((i + 1)) "${waiting[i]}"); done; } &
waiter=$!
# Those that take one core wait at times, too, for a process or a clock: there is one more of them than there are cores.
for ((i = 0; i < ${#working[@]}; i++)); do
    while [ "$(jobs -rp | grep -vcx $waiter)" -ge $(($(nproc) + (i < alone))) ]; do wait -n; done
    start $((${#waiting[@]} + i + 1)) "${working[i]}" &
done
wait
[ ! -s "$scratch/left" ] || echo "DRAWN all suites but $(sed 's/^[.]|//; s/^.*\///; s/|/: /' "$scratch/left" | paste -sd, | sed 's/,/, /g'); make test-all takes all"
show_times() {
    local i dearest=$TIMES
    [ "$dearest" != 1 ] || dearest=20
    printf '\n%-28s %6s %8s %8s %12s\n' suite cases seconds CPU 'CPU per case'
    cat "$scratch"/*/times | sort -t"$(printf '\t')" -k4,4nr | awk -F'\t' '
        { printf "%-28s %6d %8d %8.1f %12.3f\n", $1, $2, $3, $4, $4 / ($2 ? $2 : 1); cases += $2; all += $4 }
        END { printf "%-28s %6d %8d %8.1f %12.3f\n", "all", cases, '"$SECONDS"', all, all / (cases ? cases : 1) }'
    echo
    for ((i = 1; i <= number; i++)); do [ ! -s "$scratch/$i/dear" ] || awk -F'\t' -v suite="$(cut -f1 "$scratch/$i/times")" '
        { printf "%8.1f  %s: %s\n", $1 / 1000, suite, $2 }' "$scratch/$i/dear"; done | sort -rn | head -n "$dearest"
    printf 'The cores worked %d s of %d.\n\n' $(($(worked) - worked_before)) $((SECONDS * $(nproc)))
}
[ -z "${TIMES:-}" ] || show_times
# A word that no case has in its name is more likely a slip than a wish.
if [ -n "${FILTER:-}" ] && ! cat "$scratch"/*/count 2>/dev/null | grep -qv '^0 0$'; then
    echo "FAILED: no case${SUITE:+ of the suite \"$SUITE\"} has \"$FILTER\" in its name"
fi
# A suite without a count is one whose runner was killed.
for ((i = 1; i <= number; i++)); do cat "$scratch/$i/count" 2>/dev/null || echo 0 1; done |
    awk '{ passed += $1; failed += $2 } END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || passed == 0 }'
