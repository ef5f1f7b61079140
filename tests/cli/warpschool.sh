#!/bin/bash
# warpschool as its users meet it: commands and their exit statuses, and the files of hostile/, each a submission
# whose first lines say what must come out of it:
#   // lesson: NN      the lesson, when it is not 01
#   // kind: KIND      the first finding of severity error (any: whichever)
#   // says: TEXT      somewhere in the result     // never: TEXT   nowhere in it
#   // limit: N        its program has N seconds, and not its lesson's ten
# BUILD names the build folder. FILTER selects hostile files by their path, and commands by what is said of them. Ends with "N passed, N failed".
# A session of its own: what is left in it at the end is left by a check, whatever else runs on the machine.
[ "$(ps -o sid= -p $$)" -eq $$ ] || exec setsid -w bash "$0"
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
. tests/cli/limited.bash
scratch=$work
warpschool=$build/bin/warpschool
export SECRET=value NO_COLOR=1 LC_ALL=C.UTF-8

# ---- hostile submissions ----

field() { sed -n "s,^// $1: ,,p" "$2"; }

hostile() { # file
    local file=$1 problem="" result=$scratch/result.json kind lesson
    lesson=$(field lesson "$file")
    costs "$scratch/time" timeout 400 "$warpschool" --root "$(root_with "$(field limit "$file")")" check "${lesson:-01}" "$file" --json >"$result" 2>"$scratch/stderr"
    local status=$?
    [ "$status" -eq 1 ] || problem="exit status $status; $(head -c 300 "$scratch/stderr") $(jq -r '.problem // empty' "$result")"
    problem+=$(overspent "$scratch/time")
    kind=$(field kind "$file")
    [ "$kind" = any ] || json_says --arg k "$kind" '[.findings[] | select(.severity == "error")][0].kind == $k' "$result" ||
        problem="$problem expected $kind, found $(jq -c '[.findings[].kind]' "$result")"
    while read -r text; do
        [ -z "$text" ] || grep -qF -- "$text" "$result" || problem="$problem; does not say: $text"
    done <<<"$(field says "$file")"
    while read -r text; do
        [ -z "$text" ] || ! grep -qF -- "$text" "$result" || problem="$problem; says: $text"
    done <<<"$(field never "$file")"
    verdict "$file" "$problem"
}

# What a check leaves behind would lie in a folder for temporary files of its own.
export TMPDIR=$scratch/temporary
mkdir "$TMPDIR"
while IFS= read -r file; do
    ! selected "$file" || hostile "$file"
done < <(ls tests/cli/hostile/*.cu | drawn 4 "hostile submissions")
verdict "no temporary file is left" "$(ls -A "$TMPDIR")"
verdict "no process is left" "$(ps -s $$ -o args= | grep -E '/object/program|--serve=|bwrap' | grep -v grep | head -n 3)"

# ---- stopped in the middle ----

# A kernel that gets on, but not fast enough: its time is up, and nothing else is said against the cases that were right, whichever the two
# runs had come to.
slow() {
    local root=$scratch/slow
    mkdir -p "$root" && cp -r lessons "$root" && ln -s "$PWD/solutions" "$PWD/starter" "$root"
    sed -i 's/seconds: 30/seconds: 3/; s/million_steps: [0-9]*/million_steps: 40000/' "$root/lessons/06-triangle/lesson.yaml"
    sed 's/^    for (int row = blockIdx.x/    if (n == 4801) for (volatile int i = 0; i < 3000000;) i = i + 1;\n&/' solutions/06-triangle/solution.cu >"$root/slow.cu"
    "$warpschool" --root "$root" check 06 "$root/slow.cu" --json >"$scratch/slow.json" 2>"$scratch/stderr"
    [ "$(jq -c '[.findings[].kind]' "$scratch/slow.json")" = '["timeout"]' ] ||
        echo "$(jq -c '[.findings[] | .kind, .message], [.cases[].message]' "$scratch/slow.json" 2>&1) $(head -c 300 "$scratch/stderr")"
}
! selected "a slow kernel" || verdict "a slow kernel is only slow" "$(slow)"

# ---- commands ----

expect() { # name, wanted status, text that must appear, command...
    local name=$1 wanted=$2 text=$3 problem="" output
    selected "$name" || [ "$name" != "${name#step }" ] || return 0
    shift 3
    output=$("$@" 2>&1 </dev/null)
    local status=$?
    [ "$status" -eq "$wanted" ] || problem="exit status $status, not $wanted"
    case $output in *"$text"*) ;; *) problem="$problem; does not say \"$text\": $(head -c 400 <<<"$output")" ;; esac
    verdict "$name" "$problem"
}

solution=solutions/01-vector-add/solution.cu
expect "no command shows the help" 2 "usage: warpschool" "$warpschool"
expect "help" 0 "exercise [LESSON]" "$warpschool" help
expect "--help" 0 "exercise [LESSON]" "$warpschool" --help
expect "version" 0 "warpschool" "$warpschool" version
expect "unknown command" 2 "did you mean exercise?" "$warpschool" exercse
expect "unknown option" 2 "--json" "$warpschool" check 01 $solution --jsom
expect "too few words" 2 "FILE is missing" "$warpschool" check 01
expect "an empty word is none" 2 "FILE is missing" "$warpschool" check 01 ""
expect "no words at all" 2 "LESSON is missing" "$warpschool" check
expect "make check without FILE" 2 "FILE is missing" make -s BUILD="$build" check LESSON=01
for command in list version help doctor; do
    expect "a word for $command, which takes none" 2 "\`07\` is one word too many" "$warpschool" $command 07
done
expect "too many words" 2 "\`c\` is one word too many" "$warpschool" check a b c
# A letter of an option is one that can be typed.
for command in $("$warpschool" help | sed -nE 's/^  ([a-z-]+) .*/\1/p'); do
    expect "$command --help" 0 "usage: warpschool $command" "$warpschool" $command --help
    selected "$command --help" || continue
    "$warpschool" $command --help | grep '^  -' | grep -vqE '^  -[a-zA-Z], --'
    holds "$command --help: plain letters" $((! $?))
done
expect "a command's options" 0 "--seed N" "$warpschool" check -h
expect "no such lesson" 2 "make list" "$warpschool" check 77 $solution
expect "unknown lesson" 2 "did you mean 01-vector-add?" "$warpschool" check vecter-add $solution
expect "ambiguous lesson" 2 "may mean" "$warpschool" check block-sum $solution
expect "missing file" 2 "there is no such file" "$warpschool" check 01 "$scratch/none.cu"
expect "folder for a file" 2 "not an ordinary file" "$warpschool" check 01 "$scratch"
printf ' \n' >"$scratch/empty.cu"
expect "an empty file" 1 "compile-error: the file is empty" "$warpschool" check 01 "$scratch/empty.cu"
for encoding in UTF-16 UTF-16LE UTF-32; do
    iconv -t "$encoding" solutions/01-vector-add/solution.cu >"$scratch/wide.cu"
    expect "a file in $encoding" 1 "compile-error: the file is saved as UTF-16" "$warpschool" check 01 "$scratch/wide.cu"
done
mkfifo "$scratch/fifo.cu"
expect "FIFO for a file" 2 "not an ordinary file" timeout 100 "$warpschool" check 01 "$scratch/fifo.cu"
head -c 2000000 /dev/zero >"$scratch/large.cu"
expect "a file too large" 2 "larger than a source file" "$warpschool" check 01 "$scratch/large.cu"
for file in "$scratch/none.cu" "$scratch" "$scratch/fifo.cu" "$scratch/large.cu"; do
    result=$(timeout 100 "$warpschool" check 01 "$file" --json 2>/dev/null)
    verdict "$file has a result, too" "$(jq -r 'if .schema == "warpschool/result/v1" and .verdict == "error" and .problem != "" then empty else . end' <<<"${result:-0}" 2>&1)"
done
mangled=$scratch/$'caf\xe9\xff.cu'
sed '1s/^/#error \xc3\x28 \xed\xa0\x80\n/' $solution >"$mangled"
"$warpschool" check 01 "$mangled" --json >"$scratch/result.json" 2>/dev/null
verdict "JSON is UTF-8 whatever the file is called" "$(iconv -f UTF-8 -t UTF-8 "$scratch/result.json" 2>&1 >/dev/null; jq -r 'select(.verdict != "fail" or (.findings | length) == 0)' "$scratch/result.json" 2>&1)"
expect "a result that cannot be written" 3 "cannot write" sh -c "'$warpschool' check 01 $solution --json >/dev/full"
expect "a list that cannot be written" 3 "cannot write" sh -c "'$warpschool' list >/dev/full"
head -c 1000 /dev/urandom >"$scratch/noise.cu"
expect "a file of noise" 1 "not yet" "$warpschool" check 01 "$scratch/noise.cu"
expect "no GPU" 3 "no NVIDIA driver on this machine" "$warpschool" check 01 $solution --device cuda
expect "unknown device" 2 "the devices: soft (the software GPU), cuda" "$warpschool" check 01 $solution --device quantum
expect "a seed below 0" 2 "from 0 on" "$warpschool" check 01 $solution --seed -1
"$warpschool" check 01 $solution --json --grade >"$scratch/drawn.json"
"$warpschool" check 01 $solution --json --grade >"$scratch/again.json"
verdict "graded runs draw their seeds" "$(jq -rs 'if .[0].seed > 0 and .[1].seed > 0 and .[0].seed != .[1].seed then empty else map(.seed) end' "$scratch"/{drawn,again}.json 2>&1)"
seed=$(jq .seed "$scratch/drawn.json")
expect "a drawn seed can be repeated" 0 "\"seed\":$seed," "$warpschool" check 01 $solution --json --grade --seed "$seed"
# A case that asks for a grid of one thread, and runs alone: whoever launches what is asked for hears nothing of it, and whoever always launches one thread does.
strided=solutions/03-grid-stride/solution.cu
verdict "a launch of one thread that its case asks for has no note" "$("$warpschool" check 03 $strided --json --grade --seed 1 | jq -r '.findings[] | "\(.kind): \(.message)"' 2>&1)"
sed 's/<<<blocks, threads>>>/<<<1, 1>>>/' $strided >"$scratch/one-thread.cu"
verdict "a launch of one thread in every case has its note" "$("$warpschool" check 03 "$scratch/one-thread.cu" --json --grade --seed 1 |
    jq -r 'if any(.findings[]; .kind == "low-occupancy") then empty else [.findings[].kind] end' 2>&1)"
# What follows, as "kind line of the wrong answer < kind line of its cause", or "kind line" where it stands alone.
wrong_follows() { # name, lesson, file, wanted
    selected "$1" || return 0
    verdict "$1" "$("$warpschool" check "$2" "$3" --json | jq -r --arg wanted "$4" '
        def named: "\(.kind) \(.line)";
        (.findings as $all | $all[] | select(.kind == "wrong-answer")
         | [named] + (if .follows != null then [$all[.follows] | named] else [] end) | join(" < ")) as $found
        | if $found == $wanted then empty else "found: \($found)" end' 2>&1)"
}
sums=solutions/07-block-sum-dynamic/mutants adds=solutions/01-vector-add/mutants
wrong_follows "a wrong answer follows from a race" 07 $sums/one-cell.cu "wrong-answer 25 < shared-race 23"
wrong_follows "a wrong answer follows from an array that was left" 07 $sums/start-too-far.cu "wrong-answer 26 < out-of-bounds 24"
wrong_follows "a wrong answer follows from a value that is missing" 07 $sums/half-loaded.cu "wrong-answer 26 < uninitialized-read 24"
wrong_follows "a wrong answer follows from a launch in ones" 07 $sums/swapped-launch.cu "wrong-answer 26 < low-occupancy 32"
wrong_follows "a wrong answer with nothing else follows from nothing" 07 $sums/stops-early.cu "wrong-answer 26"
sed 's/= x\[i\] + y/= x[i] - y/; s/CHECK(cudaFree(\(.*\)));/(void)\1;/' $solution >"$scratch/minus.cu"
wrong_follows "a wrong answer follows from no leak" 01 "$scratch/minus.cu" "wrong-answer $(grep -n '= x\[i\]' $solution | cut -d: -f1)"
wrong_follows "a copy too short is its own cause" 01 $adds/count-not-bytes-back.cu "wrong-answer 42"
wrong_follows "a copy that is missing is its own cause" 01 $adds/missing-copy-out.cu "wrong-answer 36"
# One program that dies in its first case, and one with seven other mistakes: each belongs to its case, the leak too, and none has points.
find_the_bug() {
    local found
    "$warpschool" check 28 starter/28-find-the-bug.cu --json >"$scratch/eight.json" 2>"$scratch/stderr"
    found=$(jq -r '.score, (.cases[] | .name as $case | [$case, .verdict, (first($all[] | select(.case == $case)) | .kind)] | select(length == 3) | join("|"))' \
        --argjson all "$(jq '[.findings[] | select(.severity == "error" and .kind != "wrong-answer")]' "$scratch/eight.json")" "$scratch/eight.json")
    verdict "lesson 28: eight mistakes in one file, each told of its case" "$(diff - <<<"$found" <<'EIGHT'
0
add_pairs, 300 pairs|ended-early|misaligned
add_one, 1,000 numbers|not-accepted|out-of-bounds
reverse_groups, 4 groups|wrong-answer|shared-race
sum_groups, 3 groups|not-accepted|barrier-divergence
mean_groups, 6 groups, called twice|wrong-answer|uninitialized-read
halve, 1,000 numbers|wrong-answer|missing-sync
smooth, 700 numbers|not-accepted|leak
square, 2,003 numbers|wrong-answer|invalid-launch
EIGHT
)"
    "$build/bin/warpcc" -o "$scratch/stale" warpgrind/docs/example/stale.cu
    printf 'r\ninfo threads\n' | "$build/bin/warpgrind" debug "$scratch/stale" >"$scratch/session" 2>"$scratch/stderr"
    verdict "the debugger says what lesson 28 shows" \
        "$(diff <(sed '1,/^```console/d; /^```$/,$d; s/step [0-9]*/step N/' lessons/28-find-the-bug/lesson.md) <(sed 's/step [0-9]*/step N/' "$scratch/session"))"
}
! selected "lesson 28" || find_the_bug
stale=solutions/04-constant-memory/mutants/only-the-first-time.cu
expect "a program for each case finds stale constants all the same" 1 wrong-answer "$warpschool" check 04 $stale --json --grade
{
    printf '#include <dirent.h>\n#include <stdlib.h>\n'
    sed 's/^    if (n == 0) return;.*/    DIR *folder = opendir("\/cases");\n    int entries = 0;\n    while (readdir(folder)) entries++;\n    closedir(folder);\n    if (entries > 3) abort();\n&/' $solution
} >"$scratch/counts-cases.cu"
expect "one program sees all cases" 1 crash "$warpschool" check 01 "$scratch/counts-cases.cu" --json
expect "a graded program sees its own" 0 '"verdict":"pass"' "$warpschool" check 01 "$scratch/counts-cases.cu" --json --grade
triangle=solutions/06-triangle/mutants
expect "a value that went to another element, and which" 1 "column 4800 did not get the value; row 1, column 0, below the" "$warpschool" check 06 $triangle/rows-by-square-root.cu
expect "an element that no kernel wrote" 1 "No kernel had written this element yet" "$warpschool" check 06 $triangle/without-diagonal.cu
sed 's/own.data(), count, MPI_FLOAT, 0, comm);/own.data(), n \/ ranks, MPI_FLOAT, 0, comm);/' solutions/18-multi-gpu/solution.cu >"$scratch/too-little-room.cu"
expect "a rank with too little room for what it is sent" 1 "A rank was sent more than it has room for" "$warpschool" check 18 "$scratch/too-little-room.cu"
sed 's/MPI_Comm_rank(machine, &rank);/&\n    MPI_Win window = MPI_WIN_NULL;\n    float *shared = nullptr;\n    MPI_Win_allocate_shared(4, 4, MPI_INFO_NULL, machine, \&shared, \&window);/' \
    solutions/18-multi-gpu/solution.cu >"$scratch/window.cu"
expect "ranks that ask for memory to share are told that there is none" 1 "Memory cannot be shared" "$warpschool" check 18 "$scratch/window.cu"
by_trial=solutions/07-block-sum-dynamic/hidden/sizes-by-trial.cu
expect "what fits the shown cases passes a check" 0 "passed, 10 of 10 points" "$warpschool" check 07 $by_trial
expect "hidden cases are graded" 1 "not yet, 9 of 12 points" "$warpschool" check 07 $by_trial --grade
expect "a hidden case is told by its concept" 1 "hidden: a power of two that none of the other cases has; hidden: a block with fewer" "$warpschool" check 07 $by_trial --grade
expect "a teacher is told all" 1 "a block of 128: " "$warpschool" check 07 $by_trial --grade --reveal
expect "there is nothing to reveal" 2 "--reveal needs --grade" "$warpschool" check 07 $by_trial --reveal
expect "and is printed" 0 "repeats this check" "$warpschool" check 01 $solution --grade
verdict "behind one empty line" "$("$warpschool" check 01 $solution --grade --seed 5 >"$scratch/graded"; cat -s "$scratch/graded" | diff - "$scratch/graded")"
expect "the solution passes" 0 "passed, 10 of 10" "$warpschool" check 1 $solution
expect "the solution passes where processes have less than a check gives them" 0 "passed, 10 of 10" \
    bash -c 'ulimit -v 2000000 -n 256 -t 300 && exec "$@"' limited "$warpschool" check 1 $solution
wide=$(COLUMNS=60 "$warpschool" check 01 solutions/01-vector-add/mutants/missing-copy-in.cu | grep -vE ' \| |\.cu' | grep -E '.{61}')
verdict "cases and findings are wrapped at the width" "$wide"
expect "the result names the sandbox" 0 '+seccomp+limits"' "$warpschool" check 01 $solution --json
expect "without a sandbox, by name" 0 '"sandbox":"none"' "$warpschool" check 01 $solution --json --sandbox=none
expect "unknown sandbox" 2 "the sandboxes: full, none" "$warpschool" check 01 $solution --sandbox=no
while IFS= read -r file; do # the same findings at the same lines
    selected "without a sandbox: $file" || continue
    for sandbox in full none; do
        "$warpschool" check 07 "$file" --json --sandbox=$sandbox 2>&1 | jq -S 'del(.seconds, .sandbox)' >"$scratch/$sandbox.json"
    done
    verdict "without a sandbox: $file" "$(diff "$scratch/full.json" "$scratch/none.json" 2>&1 | head -n 4)"
done < <(ls solutions/07-block-sum-dynamic/mutants/*.cu | drawn 6 "mistakes without a sandbox")
verdict "no open stage is left" "$(ls -A "$TMPDIR")"
expect "by name" 0 "passed" "$warpschool" check vector-add $solution
expect "from elsewhere" 0 "passed" env -C / "$warpschool" check 01-vector-add "$PWD/$solution"
expect "a name with blanks" 0 "passed" sh -c "cp $solution '$scratch/my file; rm.cu' && '$warpschool' check 01 '$scratch/my file; rm.cu'"
if [ "$(id -u)" = 0 ] && ! setpriv --reuid=12345 --regid=12345 --clear-groups test -r lessons; then
    echo "SKIPPED as an ordinary user: the checkout lies in a folder that only root may enter"
elif [ "$(id -u)" = 0 ]; then
    cp $solution "$scratch/s.cu" && chmod 755 "$scratch" && chmod 644 "$scratch/s.cu"
    expect "as an ordinary user" 0 "passed" setpriv --reuid=12345 --regid=12345 --clear-groups "$warpschool" check 01 "$scratch/s.cu"
fi

expect "a course without lessons" 3 "no lessons here" "$warpschool" --root "$scratch" list
mkdir -p "$scratch/empty/lessons"
expect "a course whose folder of lessons is empty" 3 "no lessons here" "$warpschool" --root "$scratch/empty" list

# ---- how a check links: by gold itself; without it each check would only be slower ----

links_quickly() {
    "$build/bin/warpcc" -c -o "$scratch/quick.o" solutions/01-vector-add/solution.cu && . "$build/lib/link.sh" &&
        link_quickly "$scratch/quick" "$scratch/quick.o" "$build/lessons/01-vector-add/driver.o" "$build/lib/libdriver.a" -L"$build/lib" -lcudart
}
if [ -x /usr/bin/ld.gold ]; then
    expect "a program is linked without the compiler" 0 "" links_quickly
    verdict "and can be run" "$([ -x "$scratch/quick" ] || echo "there is no $scratch/quick")"
else
    echo "SKIPPED: a program is linked without the compiler: there is no /usr/bin/ld.gold"
fi

expect "doctor finds all" 0 "Everything is in place" "$warpschool" doctor
verdict "doctor looks at what was built" "$(said=$("$warpschool" doctor); for file in bin/warpcc lib/link.sh include/cuda_runtime.h; do grep -q "^fine .*/$file\$" <<<"$said" || echo "no $file"; done)"

finish
