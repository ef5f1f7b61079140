#!/bin/bash
# `warpschool grade` as an instructor meets it: killed at each edge of edges.def, a worker that dies, a full disk, Ctrl-C, a machine
# without a sandbox, regrading from the book alone, jobs that others do. BUILD names the build folder. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export NO_COLOR=1 LC_ALL=C.UTF-8
tree=$PWD warpschool=$build/bin/warpschool

# A class of three: right, wrong, and empty.
class=$work/class
mkdir -p "$class"/{ann,bob,cem}
cp solutions/01-vector-add/solution.cu "$class/ann/01-vector-add.cu"
cp solutions/01-vector-add/mutants/missing-guard.cu "$class/bob/01-vector-add.cu"
: >"$class/cem/01-vector-add.cu"

# grade BOOK OPTIONS...: leaves BOOK.csv, BOOK.log and $status.
grade() {
    rm -f "$work/$1.csv"
    "$warpschool" --root "$tree" grade "$class" --gradebook "$work/$1.db" --csv "$work/$1.csv" --seed 3 "${@:2}" >"$work/$1.log" 2>&1 </dev/null
    status=$?
}
# problem WANTED [BOOK [PATTERN...]]: what is not as it should be: the status, words of the log.
problem() {
    local wanted=$1 book=${2:-} pattern
    [ "$status" -eq "$wanted" ] || echo "exit status $status, not $wanted: $(tail -n 5 "$work/$book.log")"
    for pattern in "${@:3}"; do
        grep -qE -- "$pattern" "$work/$book.log" || echo "does not say \"$pattern\": $(tail -n 5 "$work/$book.log")"
    done
}
# What ann's points are when they are not all that there are, in the table of the class.
all_points() { # book
    awk '$1 == "ann" { got = $NF } $1 == "of" { most = $NF } END { if (got != most || got + 0 <= 0) print "ann has", got, "of", most }' "$work/$1.log"
}
# sqlite_one FILE SQL: the first value that it gives, if any.
sqlite_one() {
    python3 - "$@" <<'END'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    row = database.execute(sys.argv[2]).fetchone()
    print(*(row or ())[:1], end="")
END
}
same() { python3 tests/class/compare.py "$work/$1.csv" "$work/whole.csv" 2>&1 | head -n 5; }

grade whole
verdict "an undisturbed grading decides all" "$(problem 0 whole '3 judged' '^student +01 +sum$' '^cem +0 +0$'; all_points whole)"
verdict "without a terminal there is no progress bar" "$(grep -n '\[#' "$work/whole.log")"

# ---- programs that are named as no lesson ----
if selected "of one lesson"; then
    mkdir -p "$work/one/ann"
    cp "$class/ann/01-vector-add.cu" "$work/one/ann/kernel.cu"
    cp "$work/whole.db" "$work/kernels.db"
    class=$work/one grade kernels --lesson 1
    verdict "a download of one lesson: what has no lesson's name is of that one" "$(problem 0 kernels '^0 judged' '1 as before, 0 refused')"
    printf 'id: many\nlessons: {07: {}}\n' >"$work/one.yaml"
    class=$work/one grade kernels --lesson 1 --course "$work/one.yaml"
    verdict "a download of one lesson that does not count" "$(problem 2 kernels 'lesson 01-vector-add does not count in this course')"
fi

# ---- killed at each edge, once ----
edge() { # name
    selected "killed when $1" || return 0
    local book=edge-$1
    export WARPSCHOOL_KILL_AT=$1 WARPSCHOOL_KILL_ONCE=$work/once-$1
    grade "$book"
    unset WARPSCHOOL_KILL_AT WARPSCHOOL_KILL_ONCE
    local first=$status wanted=137
    case $1 in judged | left) wanted=0 ;; esac # the worker dies, and the grader starts another
    [ -e "$work/once-$1" ] && [ "$first" -eq "$wanted" ] || { verdict "killed when $1" "exit status $first, not $wanted" && return; }
    grade "$book"
    verdict "killed when $1" "$(problem 0 "$book" && same "$book" && ls -d "$work/$book.db.jobs" 2>/dev/null)"
}
while read -r name _; do edge "$name"; done < <(sed -n 's/^EDGE([A-Z]*, "\([a-z]*\)",.*/\1 grading\/run\/edges.def/p' grading/run/edges.def | drawn 3 "edges at which a grading is killed")

# ---- a worker that dies each time: the grader's fault, and nobody's zero ----
WARPSCHOOL_KILL_AT=judged grade faults -j 3
verdict "a worker that dies is a fault for a person" "$(problem 1 faults 'look at ann, 01-vector-add: the worker was killed by signal 9')"
verdict "a fault is no zero" "$(cut -d, -f1-5 "$work/faults.csv" | tr -d '"' | grep -vx 'student,lesson,.*\|[a-z]*,01-vector-add,fault,,0*')"
grade faults
verdict "a fault is judged again" "$(problem 0 faults '3 judged' && same faults)"

# ---- Ctrl-C ----
stopped() {
    setsid "$warpschool" --root "$tree" grade "$class" --gradebook "$work/stop.db" --seed 3 -j 1 >"$work/stop.log" 2>&1 </dev/null &
    local grader=$!
    until [ -e "$work/stop.db.jobs" ] && ls "$work/stop.db.jobs" | grep -q '\.log$' || ! kill -0 $grader 2>/dev/null; do sleep 0.02; done
    kill -INT $grader
    wait $grader
    status=$?
}
if selected "stopped"; then
    stopped
    verdict "stopped: says how to go on" "$(problem 1 stop 'Stopped: [0-3] of 3 are in the gradebook')"
    grade stop
    verdict "stopped: and goes on" "$(problem 0 stop && same stop)"
fi

# ---- a full disk ----
# Namespaces of its own, for a small disk, which is full in another step of the grading for each size; then there is room.
full='school=$1 root=$2 class=$3 disk=$4
mount -t tmpfs -o size="$5" none "$disk" || exit 9
set -- --gradebook "$disk/g.db" --csv "$disk/g.csv" --seed 3
"$school" --root "$root" grade "$class" "$@" || { echo "first $?"; mount -o remount,size=8m "$disk"; "$school" --root "$root" grade "$class" "$@" || exit; }
cp "$disk/g.csv" "$disk.csv"'
disks=0
if unshare -rm true 2>/dev/null; then
    for size in 40k 140k 200k 260k; do
        disk=disk-$size
        selected "a full disk of $size" && mkdir "$work/$disk" || continue
        unshare -rm sh -c "$full" sh "$warpschool" "$tree" "$class" "$work/$disk" $size >"$work/$disk.log" 2>&1
        status=$?
        disks=$((disks + $(grep -c '^first 3' "$work/$disk.log")))
        verdict "a full disk of $size: the same grades once there is room" "$(problem 0 "$disk"; same "$disk")"
        verdict "a full disk of $size: one line, with what to do" "$(grep -q '^first' "$work/$disk.log" || exit 0; problem 0 "$disk" 'error: .*(full|No space)' 'make room'; [ "$(grep -c error: "$work/$disk.log")" = 1 ] || cat "$work/$disk.log")"
    done
    verdict "a full disk: most of them were" "$([ -n "${FILTER:-}" ] || [ $disks -ge 3 ] || echo "only $disks")"
else
    echo "SKIPPED a full disk: this system allows no namespace for a small one"
fi

# ---- a Slurm of four scripts in /usr/bin, which does each job at once; make test-slurm has a real one ----
mkdir -p "$work/slurm"
for word in squeue scancel; do printf '#!/bin/sh\n' >"$work/slurm/$word"; done
printf '#!/bin/sh\necho "BOOT_TIME = then"\n' >"$work/slurm/scontrol"
cat >"$work/slurm/sbatch" <<'END'
#!/bin/sh
if [ -e "$SLURM_SAYS" ]; then
    cat "$SLURM_SAYS"
    rm "$SLURM_SAYS"
    exit 1
fi
for word; do
    case $word in --array=0-*) most=${word#--array=0-} most=${most%%%*} ;; esac
done
echo 1
for i in $(seq 0 "$most"); do SLURM_ARRAY_TASK_ID=$i sh "$word" >/dev/null 2>&1; done
END
chmod +x "$work"/slurm/*
export SLURM_SAYS=$work/slurm-says
printf '#!/bin/sh\nexec unshare -rm sh -c '\''mount -t overlay -o lowerdir="$0:/usr/bin" none /usr/bin && exec "$@"'\'' "%s" "%s" "$@"\n' "$work/slurm" "$warpschool" >"$work/by-slurm"
chmod +x "$work/by-slurm"
by_slurm() { warpschool=$work/by-slurm grade "$1" --slurm "${@:2}"; }
if selected "by Slurm" && ! "$work/by-slurm" version >"$work/none" 2>&1; then
    echo "SKIPPED by Slurm: this system allows no namespace with scripts in /usr/bin"
elif selected "by Slurm"; then
    by_slurm slurm
    verdict "by Slurm: the same grades" "$(problem 0 slurm '3 judged' && same slurm)"
    echo 'sbatch: error: Unable to contact slurm controller (connect failure)' >"$SLURM_SAYS"
    by_slurm away -j 2
    verdict "by Slurm: a controller that is away is waited for" "$(problem 0 away 'is waited for: sbatch: error: Unable to contact' && same away)"
    echo 'sbatch: error: invalid partition specified: none' >"$SLURM_SAYS"
    by_slurm refused
    verdict "by Slurm: jobs that it does not take" "$(problem 2 refused 'Slurm does not take the jobs: sbatch: error: invalid partition'; grep -E 'judged|waited for' "$work/refused.log")"
fi

# ---- no sandbox ----
gcc -D_GNU_SOURCE -o "$work/deny" tests/cli/deny.c -lseccomp || exit 3
weak() { # book, options...
    "$work/deny" "$warpschool" --root "$tree" grade "$class" --gradebook "$work/$1.db" --csv "$work/$1.csv" --seed 3 "${@:2}" >"$work/$1.log" 2>&1 </dev/null
    status=$?
}
weak weak
verdict "no sandbox: grade refuses" "$(problem 3 weak 'not enough' '--allow-weak-sandbox')"
verdict "no sandbox: and has graded nothing" "$(grep -E 'judged' "$work/weak.log")"
weak weak --allow-weak-sandbox
verdict "no sandbox: unless told so by name" "$(problem 0 weak '3 judged' 'Sandbox: none' && same weak)"

# ---- regrading ----
again() { # options...
    "$warpschool" --root "${root:-$tree}" regrade --gradebook "$work/whole.db" "$@" >"$work/again.log" 2>&1 </dev/null
    status=$?
}
mv "$class" "$class.away"
again
verdict "regrade: from the book alone, and what is unchanged stays" "$(problem 0 again '^0 judged' '3 as before')"
again --student ann --new-seed
verdict "regrade: one student, with a new seed" "$(problem 0 again '^1 judged'; all_points again)"
again --lesson 1 --seed 77
verdict "regrade: one lesson, with a given seed" "$(problem 0 again '^3 judged'; all_points again)"
again --student nobody
verdict "regrade: nobody" "$(problem 2 again 'there is no student .nobody.')"
again --student ann --lesson 7
verdict "regrade: nothing was handed in" "$(problem 2 again 'nothing that was handed in' 'shows who handed in what')"
again --lesson 99
verdict "regrade: no such lesson" "$(problem 2 again '99')"
mkdir -p "$work/root" && cp -r lessons "$work/root/" && echo '# another edition' >>"$work/root/lessons/01-vector-add/lesson.yaml"
root=$work/root again --changed --seed 77
verdict "regrade: a changed lesson" "$(problem 0 again '^3 judged')"
root=$work/root again --changed --seed 78
verdict "regrade: none but changed ones" "$(problem 0 again '^0 judged' ' 0 as before')"
mv "$class.away" "$class"

# ---- a folder that the roster gives to somebody afterwards ----
printf 'id,name\n1,Anna\n2,Robert\n3,Cemil\n4,Dana\n' >"$work/before.csv"
printf 'id,name,folder\n1,Anna,ann\n2,Robert,bob\n3,Cemil,cem\n4,Dana,\n' >"$work/after.csv"
ids() { sed '1,/^student/d; /^of /,$d' "$work/$1.log" | awk '{ printf "%s ", $1 }'; }
listed() { [ "$(ids "$1")" = "$2" ] || echo "the class is $(ids "$1"), and should be $2"; } # book, ids
if selected "settled"; then
    grade settled --strangers --roster "$work/before.csv"
    verdict "settled: before, folders have their own names" "$(problem 0 settled 'write ann into the column .folder. of the student.s line'; listed settled "1 2 3 4 ann bob cem ")"
    "$warpschool" override bob 01 1 --reason why --gradebook "$work/settled.db" >/dev/null
    grade settled --strangers --roster "$work/after.csv"
    verdict "settled: the names give way, but for one that was changed by hand" "$(problem 0 settled; listed settled "1 2 3 4 bob ")"
    "$warpschool" --root "$tree" regrade --gradebook "$work/settled.db" >"$work/settled.log" 2>&1
    verdict "settled: regrading brings none back" "$(listed settled "1 2 3 4 bob ")"
    grade settled --strangers --roster "$work/before.csv"
    verdict "settled: and who loses the folder again leaves it to its name" "$(listed settled "1 2 3 4 ann bob cem ")"
    # Two members of a group have one file; a roster that has only one of them takes nothing from the other.
    grade settled-group
    sqlite_one "$work/settled-group.db" "UPDATE student SET listed = 1 WHERE id = 'ann'"
    sqlite_one "$work/settled-group.db" "UPDATE handed SET path = 'group/01.cu', source = (SELECT source FROM handed WHERE student = 'ann')"
    "$warpschool" --root "$tree" regrade --student ann --gradebook "$work/settled-group.db" >"$work/settled-group.log" 2>&1
    verdict "settled: a group's members stay" "$(listed settled-group "ann bob cem ")"
fi

# ---- jobs that others do ----
grade prepared --prepare
jobs=$work/prepared.db.jobs
verdict "prepared: says what is to be done" "$(problem 1 prepared '3 jobs wait' 'grade-one --list')"
verdict "prepared: only the grader may look" "$([ "$(stat -c %a "$jobs")" = 700 ] || stat -c %a "$jobs")"
"$warpschool" --root "$tree" grade-one --list "$jobs/list" --index 0 --count 2 >"$work/one.log" 2>&1
status=$?
verdict "a worker does two jobs of the list" "$(problem 0 one && [ "$(ls "$jobs" | grep -c '\.result$')" = 2 ] || ls "$jobs")"
"$warpschool" --root "$tree" grade-one --list "$jobs/list" --index 3 >"$work/one.log" 2>&1
status=$?
verdict "a number past the list's end" "$(problem 2 one 'no job number 3')"
sed -i 's/"score": *[0-9]*/"score": 999/' "$(ls "$jobs"/*.result | tail -n 1)"
echo '{"lesson": ' >"$(ls "$jobs"/*.result | head -n 1)"
grade prepared
verdict "prepared: whole results are collected, a broken one is judged again" "$(problem 0 prepared '3 judged' && same prepared)"

verdict "the compiler that warpcc uses is known" "$("$build/bin/warpcc" --version | grep -q '^[A-Za-z ]*clang version [0-9]' || echo no)"

# ---- what the screen gets ----
# Names of folders, files and people, messages of the compiler, and what a program prints: all from somebody who means harm.
hostile() { # makes the class of one
    local evil=$'\e[2J\e]0;owned\a\r\x9b\u202e'
    mkdir -p "$work/evil/$evil"
    {
        sed -n '1,/^void vector_add/p' solutions/01-vector-add/solution.cu
        printf '    printf("%s\\n");\n    fprintf(stderr, "\\x1b[2J\\x1b]0;owned\\a\\xe2\\x80\\xae");\n' "$evil"
        sed '1,/^void vector_add/d' solutions/01-vector-add/solution.cu
    } | sed '1i #include <cstdio>' >"$work/evil/$evil/01-vector-add.cu"
    printf '#error %s\nint \u202e = ; // %s\n' "$evil" "$evil" >"$work/evil/$evil/07-block-sum-dynamic.cu"
    echo x >"$work/evil/$evil/$evil.cu"
    ln -s nowhere "$work/evil/$evil/08-block-sum-static.cu"
    printf 'id,name,email,folder\n"%s","%s","%s","%s"\n' "${evil//$'\r'/}1" "${evil//$'\r'/}" "${evil//$'\r'/}@x" x >"$work/evil.csv"
}
# What a terminal would obey, besides the colours: control characters, those of the C1 set, bytes of no character, and those that turn the writing round.
obeyed() {
    python3 - "$1" <<'END'
import re, sys
text = open(sys.argv[1], "rb").read()
text = re.sub(rb"\x1b\[(0|1|2|1;3[1256])m", b"", text).decode("utf-8", "surrogateescape")
for found in re.finditer("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\udc80-\udcff]", text):
    print(repr(text[max(0, found.start() - 40):found.end() + 20]))
    break
END
}
quiet() { # words of warpschool
    selected "harmless on the screen" || return 0
    "$warpschool" --root "$tree" --color=always "$@" >"$work/screen.log" 2>&1 </dev/null
    verdict "harmless on the screen: ${*//[^a-z0-9 .=-]/}" "$([ -s "$work/screen.log" ] || echo "nothing was said"; obeyed "$work/screen.log")"
}
if selected "harmless on the screen"; then
    hostile
    sources=("$work"/evil/*)
    quiet grade "$work/evil" --roster "$work/evil.csv" --gradebook "$work/evil.db"
    verdict "harmless on the screen: but there" "$(grep -qF 'x1B[2J' "$work/screen.log" || tail "$work/screen.log")"
    id=$(sqlite_one "$work/evil.db" "SELECT id FROM student WHERE id LIKE '%x9B%' LIMIT 1")
    quiet gradebook --gradebook "$work/evil.db"
    quiet gradebook --gradebook "$work/evil.db" --student "$id"
    quiet gradebook --gradebook "$work/evil.db" --lesson 07
    quiet override "$id" 07 1 --reason $'\e[2J\u202e' --author $'\e]0;x\a' --gradebook "$work/evil.db"
    quiet gradebook --gradebook "$work/evil.db" --overrides
    quiet gradebook --gradebook "$work/evil.db" --gradings
    quiet export text --gradebook "$work/evil.db" --student "$id"
    quiet export canvas --gradebook "$work/evil.db"
    quiet regrade --gradebook "$work/evil.db" --lesson 07 --new-seed
    quiet diff --gradebook "$work/evil.db"
    for lesson in 01-vector-add 07-block-sum-dynamic; do quiet check ${lesson%%-*} "${sources[0]}/$lesson.cu"; done
    quiet check 01 "${sources[0]}/01-vector-add.cu" --grade
    quiet check 01 "${sources[0]}/"$'\e[2J'
    quiet check $'\e[2J\u202e' "${sources[0]}/01-vector-add.cu"
    quiet similarity "$work/evil" --out "$work/alike"
    quiet $'\e[2Jgrade'
    quiet gradebook --gradebook "$work/"$'\e[2J.db'
fi

# ---- what is refused ----
one() { # name, wanted status, pattern, words...
    selected "$1" || return 0
    "$warpschool" --root "$tree" "${@:4}" >"$work/one.log" 2>&1 </dev/null
    status=$?
    verdict "$1" "$(problem "$2" one "$3")"
}
one "no such folder" 2 'cannot read the submissions' grade "$work/nowhere" --gradebook "$work/never.db"
verdict "no such folder: and no gradebook is made" "$(ls "$work/never.db" 2>/dev/null)"
mkdir -p "$work/refused/ann" && echo x >"$work/refused/ann/01-vector-add.cpp"
one "a file that is refused, and what to do" 1 'if it is the program, name it 01-vector-add.cu' grade "$work/refused" --gradebook "$work/refused.db"
mkdir -p "$work/two/ann" && echo x | tee "$work/two/ann/01-vector-add.cpp" >"$work/two/ann/02-launch-grid.cpp"
one "two that are refused for the same" 1 '2 refused' grade "$work/two" --gradebook "$work/two.db"
verdict "two that are refused for the same: each with what to do" "$(for name in 01-vector-add 02-launch-grid; do grep -q "if it is the program, name it $name.cu" "$work/one.log" || echo "not for $name"; done)"
# A class of nothing but zeros is sooner a mistake of whoever gave the command.
one "nothing counts: all is refused" 1 '^Nothing of what was handed in counts: 1 refused$' grade "$work/refused" --gradebook "$work/refused.db"
mkdir -p "$work/outside/ann" && cp "$class/ann/01-vector-add.cu" "$work/outside/ann/" && echo x >"$work/outside/ann/notes.cu"
printf 'id: warpschool\nlessons: {07: {}}\n' >"$work/outside.yaml"
cp "$work/whole.db" "$work/outside.db"
one "nothing counts: lessons outside the course" 1 '^Nothing of what was handed in counts: 1 refused, 1 of lessons outside the course$' grade "$work/outside" --course "$work/outside.yaml" --gradebook "$work/outside.db"
cp "$work/refused/ann/01-vector-add.cpp" "$work/outside/ann/"
one "nothing counts: not where one file does" 0 '1 as before, 2 refused' grade "$work/outside" --gradebook "$work/whole.db" --seed 3
one "nothing counts: not where all was judged before" 0 '^0 judged .* 3 as before, 0 refused' grade "$class" --gradebook "$work/whole.db" --seed 3
# Somebody copies while it is read: a file's time changes without a pause, until a grading has met it.
if selected "changed while it was read"; then
    python3 -c 'import itertools, os, sys
for turn in itertools.count(): os.utime(sys.argv[1], ns=(turn, turn))' "$class/ann/01-vector-add.cu" &
    copier=$!
    for ((tries = 0; tries < 50; tries++)); do
        grade whole
        [ $status -eq 0 ] || break
    done
    kill $copier && wait $copier 2>/dev/null
    verdict "a folder that changed while it was read" "$(problem 1 whole 'has changed while it was read' 'give the same command again' '3 as before')"
    grade whole
    verdict "a folder that changed while it was read: and later has not" "$(problem 0 whole '3 as before'; grep 'has changed' "$work/whole.log")"
fi
mkdir -p "$work/nothing"
one "an empty folder" 2 'nobody has handed in anything here' grade "$work/nothing" --gradebook "$work/never.db"
# The class's own archive: what is said is for the teacher, and nobody gets a zero for a password that the teacher set.
python3 - "$work" <<'END'
import sys, zipfile
work = sys.argv[1]
with zipfile.ZipFile(work + "/class.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for student in ("ann", "bob"):
        archive.writestr(student + "/01-vector-add.cu", "x" * 5000)
whole = open(work + "/class.zip", "rb").read()
open(work + "/half.zip", "wb").write(whole[:60])
locked = bytearray(whole)
for mark, flags in ((b"PK\1\2", 8), (b"PK\3\4", 6)):
    at = locked.find(mark)
    while at >= 0:
        locked[at + flags] |= 1
        at = locked.find(mark, at + 4)
open(work + "/locked.zip", "wb").write(locked)
END
one "half a download" 2 'download it once more' grade "$work/half.zip" --gradebook "$work/never.db"
one "a download with a password" 2 'locked.zip: error: is encrypted' grade "$work/locked.zip" --gradebook "$work/never.db"
# A roster's warnings are printed when the grading has ended, long after the roster was read.
printf 'id,name\nann,Ann\nann,Bo\n' >"$work/twins.csv"
one "twins in the roster: what to do" 0 'give each student one line' grade "$class" --roster "$work/twins.csv" --gradebook "$work/twins.db" --seed 3
one "a roster of another class: nothing is judged" 2 'matches 0 of 3 submissions, so nothing was judged' grade "$class" --roster "$work/before.csv" --gradebook "$work/others.db"
verdict "a roster of another class: no gradebook learns its names" "$(sqlite_one "$work/others.db" 'SELECT count(*) FROM student' 2>/dev/null | grep -v '^0$')"
one "columns of no roster" 2 'columns of a roster, and there is none' grade "$class" --columns id=ID --gradebook "$work/never.db"
one "a roster that is a folder" 2 'cannot be read: it is not an ordinary file' grade "$class" --roster "$work" --gradebook "$work/never.db"
one "two seeds" 2 'new-seed draws one' grade "$class" --seed 1 --new-seed --gradebook "$work/never.db"
one "a negative seed" 2 'seed' grade "$class" --seed=-1 --gradebook "$work/never.db"
one "a job without a file" 2 'no job is named' grade-one --job x
echo '{"schema": "warpschool/job/v1", "lesson": "01-vector-add", "shown": "x", "source": "../x.cu", "seed": 1}' >"$work/bad.job"
one "a job whose source lies elsewhere" 3 'this is no job' grade-one --job "$work/bad.job" --out "$work/bad.result"
sed -i 's,01-vector-add,99-none,; s,\.\./,,' "$work/bad.job"
one "a job of another course" 3 'no lesson .99-none' grade-one --job "$work/bad.job" --out "$work/bad.result"
verdict "no result is left for it" "$(ls "$work/bad.result" 2>/dev/null)"
grade elsewhere --spool "$work/elsewhere"
verdict "jobs may lie elsewhere" "$(problem 0 elsewhere && same elsewhere; ls -d "$work/elsewhere" "$work/elsewhere.db.jobs" 2>/dev/null)"
mkdir -m 755 "$work/open.db.jobs"
one "a folder of jobs that others can read" 2 'must be yours alone' grade "$class" --gradebook "$work/open.db"
# A gradebook that this command cannot have is the command's mistake, and not the grader's.
sqlite_one "$work/cookies.db" "CREATE TABLE cookies (name)"
cp "$work/whole.db" "$work/newer.db" && sqlite_one "$work/newer.db" "PRAGMA user_version = 99"
cp "$work/whole.db" "$work/course.db" && sqlite_one "$work/course.db" "UPDATE book SET course = 'cuda-2026'"
printf 'id: opengl\n' >"$work/opengl.yaml"
echo words >"$work/words.db"
for command in "grade $class" regrade; do
    one "a newer schema: ${command%% *}" 2 'its schema is 99' $command --gradebook "$work/newer.db"
    one "another course: ${command%% *}" 2 'this is the gradebook of the course `cuda-2026`' $command --gradebook "$work/course.db" --course "$work/opengl.yaml"
    one "not a gradebook: ${command%% *}" 2 'this is not a gradebook' $command --gradebook "$work/words.db"
    one "another program's database: ${command%% *}" 2 'a database of another program' $command --gradebook "$work/cookies.db"
done
one "a gradebook in a folder that is not there" 2 'cannot make the gradebook: No such file' grade "$class" --gradebook "$work/nowhere/g.db"
verdict "a gradebook in a folder that is not there: by the name that was given" "$(selected "a gradebook in a" || exit 0; grep -q 'g.db: error' "$work/one.log" || cat "$work/one.log")"
one "a table that cannot be written" 2 'cannot write the grades.*: No such file' grade "$class" --gradebook "$work/whole.db" --csv "$work/nowhere/g.csv"
one "a table that cannot be written: what to do" 2 'make its folder first' grade "$class" --gradebook "$work/whole.db" --csv "$work/nowhere/g.csv"
one "a table where a folder is" 2 'cannot write the grades.*: Is a directory' grade "$class" --gradebook "$work/whole.db" --csv "$work"
one "an export where a folder is" 2 'name a file in it' export canvas --gradebook "$work/whole.db" -o "$work"
one "no such format" 2 'there is no format .canvass.' export canvass --gradebook "$work/whole.db"
one "no such format: the nearest" 2 'Did you mean canvas' export canvass --gradebook "$work/whole.db"

# ---- watched: what comes is graded, whole, once; kill -9, a moved folder and a half-written file do no harm ----
watched=$work/watched class_of_watch=$work/incoming
watch_words() { # PATTERN COUNT: waits until the log has so many lines of it
    local i
    for ((i = 0; i < 600; i++)); do
        [ "$(grep -cE -- "$1" "$watched.log")" -ge "$2" ] && return
        sleep 0.1
    done
    echo "not said $2 times: $1: $(tail -n 4 "$watched.log")"
}
begin_watch() {
    "$warpschool" --root "$tree" grade --watch --still 2 "$class_of_watch" --gradebook "$watched.db" --csv "$watched.csv" --seed 3 >>"$watched.log" 2>&1 </dev/null &
    watcher=$!
}
passes_of() { awk -F, -v who="\"$1\"" '$1 == who && $3 == "pass"' "$watched.csv" | wc -l; }
if selected "watch"; then
    mkdir "$class_of_watch" && : >"$watched.log"
    begin_watch
    verdict "watch: an empty folder is waited for, without an error" "$(watch_words 'waiting for' 1; kill -0 $watcher 2>/dev/null || echo "it ended"; grep 'error' "$watched.log")"
    mkdir "$class_of_watch/ann"
    # Written in four parts, a second apart: the first would not compile, and nobody is told so.
    for part in 1 2 3 4; do
        split -n "$part/4" solutions/01-vector-add/solution.cu >>"$class_of_watch/ann/01-vector-add.cu"
        [ $part -eq 4 ] || sleep 1
    done
    verdict "watch: a file counts once it is whole" "$(watch_words '^ann ' 1; [ "$(passes_of ann)" = 1 ] && ! grep -q compile "$watched.log" || echo "it is not so: $(cat "$watched.log")")"
    output=$("$warpschool" --root "$tree" grade --watch "$class_of_watch" --gradebook "$watched.db" 2>&1)
    [ $? -eq 2 ] && grep -q 'somebody watches for this gradebook already' <<<"$output"
    holds "watch: a second one for a gradebook is refused" $?
    mv "$class_of_watch" "$work/elsewhere"
    verdict "watch: a folder that is moved is waited for" "$(watch_words 'waiting for' 2)"
    kill -KILL $watcher && wait $watcher 2>/dev/null
    cp -r "$work/class/bob" "$work/elsewhere/" && cp solutions/01-vector-add/solution.cu "$work/elsewhere/bob/01-vector-add.cu"
    touch -d 2001-01-01 "$work/elsewhere/bob/01-vector-add.cu" # a clock that was wrong
    mv "$work/elsewhere" "$class_of_watch"
    begin_watch
    verdict "watch: after kill -9 it goes on" "$(watch_words '^bob ' 1; [ "$(passes_of bob)" = 1 ] && [ "$(passes_of ann)" = 1 ] || echo "it is not so: $(cat "$watched.csv")")"
    rounds=$(grep -c 'grading ' "$watched.log")
    touch -d 2030-01-01 "$work/incoming/ann/01-vector-add.cu"
    verdict "watch: a date that jumps judges nothing again" "$(watch_words 'grading ' $((rounds + 1)); watch_words '0 judged|were known|nothing new' 1; [ "$(passes_of ann)" = 1 ] || echo "it is not so")"
    kill -TERM $watcher
    wait $watcher
    holds "watch: it ends when it is told" $?
    # A round that dies in its middle, when the first of two results is in the book, is said; whoever watches next goes on from there.
    watched=$work/torn && : >"$watched.log"
    WARPSCHOOL_KILL_AT=recorded WARPSCHOOL_KILL_ONCE=$work/once-torn begin_watch
    verdict "watch: a round that dies is said, and the watch goes on" "$(watch_words 'this round failed, and the next is in a minute' 1; kill -0 $watcher 2>/dev/null || echo "it ended")"
    kill -KILL $watcher && wait $watcher 2>/dev/null
    begin_watch
    verdict "watch: the round goes on where it was" "$(watch_words '^1 judged' 1; [ "$(passes_of ann)" = 1 ] && [ "$(passes_of bob)" = 1 ] || echo "it is not so: $(cat "$watched.log" "$watched.csv")")"
    kill -TERM $watcher
    wait $watcher
fi
finish
