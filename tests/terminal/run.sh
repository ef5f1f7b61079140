#!/bin/bash
# watch as a learner meets it: tmux is the terminal, keys are typed into it, and its screen is read. A course of its own; every step is taken
# whatever FILTER says, since each starts where the one before it ended; FILTER chooses which are counted. Nothing is timed: each step waits for what
# must appear, as long as a busy machine takes. BUILD names the build folder. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
command -v tmux >/dev/null || { echo "SKIPPED watch in a terminal: tmux is not installed"; echo "0 passed, 0 failed"; exit 77; }
export LC_ALL=C.UTF-8 TERM=screen NO_COLOR=1
unset TMUX VISUAL EDITOR
PATIENCE=${PATIENCE:-60}
course=$work/course file=$work/course/work/01-vector-add.cu solution=$PWD/solutions/01-vector-add/solution.cu
mkdir -p "$course/lessons" && cp -r starter "$course/"
# Few lessons, so that a new one changes no step.
for lesson in 01-vector-add 04-constant-memory 07-block-sum-dynamic 08-block-sum-static 24-scan 25-histogram; do cp -r lessons/$lesson "$course/lessons/"; done
cp lessons/groups.txt "$course/lessons/"
# What those need must be there as well.
sed -i 's/^needs: .*/needs: [01-vector-add]/' "$course"/lessons/{24,25}-*/lesson.yaml
server() { tmux -S "$work/tmux" -f /dev/null "$@"; }
trap 'server kill-server 2>/dev/null; rm -rf "$work"' EXIT

screen() { server capture-pane -p -t watch; }
keys() { server send-keys -t watch "$@"; }

# sees NAME PATTERN [NOT]: waits until the screen shows the pattern, and does not show the other one.
sees() {
    local name=$1 deadline=$((SECONDS + PATIENCE)) shown
    while shown=$(screen 2>&1); do
        if grep -qE -- "$2" <<<"$shown" && { [ -z "${3:-}" ] || ! grep -qE -- "$3" <<<"$shown"; }; then
            verdict "$name" ""
            return 0
        fi
        [ $SECONDS -lt $deadline ] || break
        [[ $shown != *"ended with"* ]] || [[ $2 == *"ended with"* ]] || break
        sleep 0.1
    done
    # The first step that fails ends the patience: what follows would wait for nothing. So does an end that nobody asked for.
    PATIENCE=2
    verdict "$name" "the screen does not show \"$2\"${3:+ without \"$3\"}:
$shown"
}

# In the course's folder, so that paths are short. The shell stays when watch ends, and says how it ended.
program=$(realpath "$build")/bin/warpschool
open_watch() { # columns, rows, arguments of warpschool...
    local columns=$1 rows=$2
    shift 2
    server kill-session -t watch 2>/dev/null
    # The last session takes its server with it, which on a busy machine may still be going when the next one is asked for.
    local left=20
    until server new-session -d -s watch -x "$columns" -y "$rows" "cd '$course' && '$program' --root '$course' watch $*; echo ended with \$?; exec sh" 2>/dev/null; do
        [ $((left -= 1)) -gt 0 ] || break
        sleep 0.2
    done
    server set-option -t watch status off
}

# ---- no terminal ----

output=$("$build/bin/warpschool" --root "$course" watch 2>&1 </dev/null)
status=$?
verdict "without a terminal it says so" "$([ $status -eq 2 ] && grep -q 'watch needs a terminal' <<<"$output" || echo "status $status: $output")"

# ---- a session of a learner ----

open_watch 80 24
sees "the first verdict" "01-vector-add: not yet" "checking"
sees "the keys" "^n next +h hint +l list"
sees "the progress" "\] 0 of [0-9]+ passed"
verdict "it fits 80 x 24" "$([ "$(screen | wc -l)" -le 24 ] && [ -z "$(screen | grep -E '.{81}')" ] || screen)"
verdict "no colours where none are wanted" "$(server capture-pane -e -p -t watch | grep -E $'\x1b\\[[0-9;]*3[0-7]')"
keys h
sees "a hint below the verdict" "hint 1 of 3"
sees "and the verdict stays" "not yet"
keys h
sees "the next hint" "hint 2 of 3"
keys Escape
sees "Escape takes the hint away" "not yet" "hint 2 of 3"

keys n
sees "next asks first where nothing is passed" "not passed yet: press n again"
keys j
sees "another key is no answer" "0 of [0-9]+ passed.*01-vector-add" "n again"
keys n
sees "next asks once more" "not passed yet: press n again"
keys h
sees "and another key does what it always does" "hint [1-3] of 3" "n again"
keys Escape
sees "without a hint again" "not yet" "hint [1-3] of 3"

printf '#error the first save\n' >"$file"
sees "a save into the file is checked, and a mistake named" "the first save" "checking"
sees "what the file's making said is gone" "checked in" "made from the starter"
printf '#error the second save\n' >"$course/work/new" && mv "$course/work/new" "$file"
sees "a save by a new name, too" "the second save" "checking"
printf '#error a long line %0100d\n' 1 >"$file"
sees "a line that does not fit ends with a mark" "\| #error a long line 0+…\$" "checking"
printf '#error the second save\n' >"$file"
sees "and one that does has none" "\| #error the second save *\$" "checking"
keys r
sees "an error stays while it is checked again" "the second save"
cp "$solution" "$file"
sees "the right answer" "01-vector-add: passed" "checking"
sees "passed, and it does not move on by itself" "1 of [0-9]+ passed.*01-vector-add"
sees "but says how" "press n"
keys n
sees "next goes to the next" "04-constant-memory: not yet" "checking"

keys l
sees "the list" "> +04-constant-memory"
sees "ticks what is passed" "✓ +01-vector-add"
sees "in groups, with how far each is" "^Sums, 0 of 2 passed"
keys j j Down k
sees "it moves with j, k and arrows" "^> +08-block-sum-static"
keys G
sees "to the last" "^> +25-histogram"
keys g
sees "and the first" "^> ✓ +01-vector-add"
keys p
sees "what is not passed alone" "04-constant-memory" "01-vector-add +A thread"
keys p / s c a n
sees "a filter" "24-scan" "07-block"
keys x y z
sees "of nothing" 'no lesson has "scanxyz"'
keys BSpace BSpace BSpace Enter
sees "is kept" "^> +24-scan"
keys Enter
sees "Enter takes the lesson" "24-scan: not yet" "checking"
keys l / Escape
sees "Escape in the filter shows all" "01-vector-add"
keys g Enter
sees "back to the first" "01-vector-add: passed" "checking"

keys x
sees "reset asks" "y or n"
keys n
sees "no is no" "01-vector-add: passed" "y or n"
verdict "and nothing is lost" "$(cmp "$file" "$solution" 2>&1)"
keys x y
sees "yes is the starter" "01-vector-add: not yet" "checking"
verdict "the old file is kept" "$(cmp "$file.1" "$solution" 2>&1)"
sees "and that is said" "01-vector-add.cu.1"

keys t
sees "t draws the picture" "The picture of your kernel: "
keys Escape r h l
sees "keys during a check are not lost" "^> .*01-vector-add"
keys q
sees "q closes the list" "hint"
server resize-window -t watch -x 60 -y 15
sees "a smaller window" "^n next"
verdict "fits" "$([ "$(screen | wc -l)" -le 15 ] || screen)"
sees "what is cut of the keys has a mark" "^n next.*t picture +e edit +…"
server resize-window -t watch -x 100 -y 40
sees "a larger one" "^n next"
keys End
sees "the end of the verdict" "Next: edit"
keys q
sees "q ends it, the verdict stays on the shell's screen" "ended with 0"
sees "with what to do next" "Next: edit"

# ---- a small screen ----

# Seven cases, three of them right: the first finding begins in the upper half all the same.
cp solutions/07-block-sum-dynamic/mutants/missing-barrier.cu "$course/work/07-block-sum-dynamic.cu"
open_watch 80 24 07
sees "cases that passed share a line" "3 passed: a single thread; two threads, called twice; one warp" "checking"
row=$(screen | grep -n '^shared-race: ' | cut -d: -f1)
verdict "the first finding begins within ten lines" "$([ "${row:-99}" -le 10 ] || echo "line ${row:-none}")"
keys h
sees "a hint about what was found" "about shared-race, which"
cp solutions/07-block-sum-dynamic/mutants/barrier-in-if.cu "$course/work/07-block-sum-dynamic.cu"
sees "goes when the check finds another mistake" "^barrier-divergence:" "about shared-race"
keys h
sees "the hint about that one" "about barrier-divergence, which"
cp solutions/07-block-sum-dynamic/solution.cu "$course/work/07-block-sum-dynamic.cu"
sees "goes when the lesson is passed" "07-block-sum-dynamic: passed" "about barrier-divergence"
cp solutions/07-block-sum-dynamic/mutants/missing-barrier.cu "$course/work/07-block-sum-dynamic.cu"
sees "and the file can be wrong again" "not yet, 3 of 10"
keys q
sees "that ends, too" "ended with 0"

# ---- an editor ----

printf '#!/bin/sh\ncp "%s" "$1"\n' "$solution" >"$work/editor" && chmod +x "$work/editor"
export EDITOR=$work/editor
server kill-server
open_watch 80 24 01
sees "started for a lesson" "01-vector-add: not yet" "checking"
keys e
sees "e opens the editor, and what it saves is checked" "01-vector-add: passed" "checking"
keys C-c
sees "Ctrl-C ends it" "ended with 0"
keys 'stty -a | grep -c " icanon.* echo " ; echo' Enter
verdict "the terminal is as it was" "$(sleep 0.5; server display -p -t watch '#{alternate_on}' | grep -v '^0$')"

# ---- a machine that allows no sandbox and sends no file events ----

gcc -D_GNU_SOURCE -o "$work/deny" tests/cli/deny.c -lseccomp
printf '#!/bin/sh\nDENY_EVENTS=1 exec "%s" "%s" "$@"\n' "$work/deny" "$program" >"$work/walled" && chmod +x "$work/walled"
allowed=$program program=$work/walled
printf '#error the first save\n' >"$file"
open_watch 80 24 01
sees "without a sandbox it checks, and says so" "allows no sandbox" "checking"
sees "what the file holds" "the first save"
printf '#error the second save\n' >"$file"
sees "a save is seen without file events" "the second save" "checking"
keys q
sees "and it ends" "ended with 0"
program=$allowed

# ---- killed in the middle ----

open_watch 80 24 04
sees "once more" "04-constant-memory: not yet" "checking"
for i in 1 2 3 4 5 6 7 8; do keys r; done
pid=$(pgrep -f "^$program --root $course watch" | head -n 1)
kill -TERM "$pid"
sees "a kill gives the terminal back" "ended with 143"
verdict "no process is left" "$(sleep 1; pgrep -af -- "--root $course" | grep -v 'sh -c')"
open_watch 80 24 04
sees "and once more" "04-constant-memory: not yet" "checking"
keys r
pid=$(pgrep -f "^$program --root $course watch" | head -n 1)
kill -KILL "$pid"
sees "killed outright" "ended with 137"
verdict "its check goes with it" "$(sleep 1; pgrep -af -- "--root $course" | grep -v 'sh -c')"

finish
