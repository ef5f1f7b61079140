#!/bin/bash
# A check on a card, all but the card: nvidia-smi and nvcc are scripts that say what NVIDIA's say, and the program that this nvcc makes computes on the
# host, in the sandbox in which it would have the card. BUILD names the build folder. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/cli/common.bash"

. tests/card/toolkit.bash
trap 'rm -rf "$toolkit" "$work"' EXIT
smi "Card of the tests, 580.1, 9.0, 0, $idle, Disabled"

# on_card FILE OPTION...: the check of lesson 01, or of $lesson, its screen in $work/out.
on_card() {
    local file=$1
    shift
    CUDA_HOME=$toolkit PATH=$toolkit/card/bin:$PATH "$build/bin/warpschool" check "${lesson:-01}" "$file" "$@" >"$work/out" 2>"$work/log"
    status=$?
}
# Each case has its line, and the largest surely a time, whatever this machine takes for a small one.
card_lines() { [ "$(sed '1,/^On the Card of the tests, driver 580.1:/d' "$work/out" | grep -c '^  ✓ ')" = 7 ] && grep -q '✓ a large array: [0-9.]* [mµ]s (' "$work/out"; }
screen() { tr '\n' ' ' <"$work/out" | tr -s ' '; }
# vector_add on the host, with an edit.
student() { sed "s|EDIT|$1|" >"$work/student.cu" <<'END'
#include <cstdio>
#include <cstdlib>
void vector_add(float *z, const float *x, const float *y, int n) {
    EDIT
    for (int i = 0; i < n; i++) z[i] = x[i] + y[i];
}
END
}

# ---- how a case ends ----

student ''
on_card "$work/student.cu" --device cuda
check "right answers are right" "[ $status = 0 ] && grep -q '01-vector-add: every answer right on the Card of the tests, driver 580.1' $work/out"
check "a case that takes time has it" "grep -q '✓ a large array: [0-9.]* [mµ]s ([0-9.]* [mµ]s to [0-9.]* [mµ]s)' $work/out"
check "one in which nothing is done has none" "grep -q '✓ no elements at all$' $work/out"
check "a large array has a bandwidth" "grep -q 'a large array: .* GB/s' $work/out"
check "and says what a card does not see" "grep -q 'For races, for what a kernel costs' $work/out"
on_card "$work/student.cu" --device cuda --json
check "schema: a result of a card" "valid docs/result.schema.json $work/out"
check "the program was locked in" "[[ \$(jq -r .sandbox $work/out) == *namespaces+seccomp* ]]"
check "the result names card and driver" "[ \"\$(jq -r '.device + \" \" + .driver' $work/out)\" = 'Card of the tests 580.1' ]"
check "times of a called-twice case are not taken" "[ \$(jq '[.cases[] | select(.microseconds == null)] | length' $work/out) = 1 ]"
student 'if (n == 256) z++, n--;'
on_card "$work/student.cu" --device cuda
check "a wrong answer is wrong, in its case alone" "[ $status = 1 ] && [ \$(grep -c ✗ $work/out) = 1 ] && grep -q 'exactly one block of 256: .*z\[0\]' $work/out"
student 'static int calls; if (n == 256 \&\& ++calls == 4) return;'
on_card "$work/student.cu" --device cuda
check "an answer that only a timed call gets wrong counts" "[ $status = 1 ] && grep -q '✗ exactly one block of 256' $work/out"
student 'if (n == 256) *(volatile int *)0 = 1;'
on_card "$work/student.cu" --device cuda
check "a crash costs the case in which it happens" "[ \$(grep -c ✗ $work/out) = 1 ] && grep -q 'one block of 256: the program crashed (Segmentation fault)' $work/out"
student 'if (n == 257) { fprintf(stderr, "%s:9: an illegal memory access\\n", __FILE__); exit(1); }'
on_card "$work/student.cu" --device cuda
check "what CHECK prints is told" "[[ \$(screen) == *'past a block: the program ended with status 1, after printing \"student.cu:9: an illegal memory access\"'* ]]"
student 'if (n == 257) system("id");'
on_card "$work/student.cu" --device cuda
check "a process of its own is stopped" "grep -q 'past a block: the program was stopped: it made a system call' $work/out"
student 'if (n == 257) for (;;) puts("again and again and again and again and again and again and again");'
on_card "$work/student.cu" --device cuda
check "printing without end is stopped" "grep -q 'past a block: the program was stopped: it printed without end' $work/out"
student 'FILE *times = fopen("/answers/00/times", "w"); if (times) fputs("nan -1 nonsense", times);'
on_card "$work/student.cu" --device cuda --json
check "schema: times that are nonsense are left out" "valid docs/result.schema.json $work/out"
student '} // a mistake'
on_card "$work/student.cu" --device cuda
check "nvcc's message stands at its line" "[ $status = 1 ] && grep -q '^compile-error: expected a \";\"' $work/out && grep -q 'student.cu:3' $work/out && ! grep -q 'not run' $work/out"

# What the driver copies to the device must not be under way when the student's function begins, whose streams need not wait for it.
cat >"$work/student.cu" <<'END'
void block_sum(float *out, const float *in, int threads) {
    float sum = 0;
    for (int i = 0; i < threads; i++) sum += in[i];
    *out = sum;
}
END
lesson=07 on_card "$work/student.cu" --device cuda
check "the driver's copies to the device have arrived" "[ $status = 0 ] && grep -q 'every answer right' $work/out"

# A driver with kernels comes to nvcc as its source, in the sandbox and without one: NVIDIA's run-time would not load what clang has made of it.
for sandbox in full none; do
    lesson=35 on_card starter/35-capstone.cu --device cuda --sandbox=$sandbox
    check "a driver's own kernels are compiled for the card, sandbox $sandbox" "[ $status = 1 ] && grep -q 'a driver with kernels' $work/out"
done

# ---- ranks, and several cards ----

four="Card of the tests, 580.1, 9.0, 0, $idle, Disabled
Card of the tests, 580.1, 9.0, 0, $idle, Disabled
Card of the tests, 580.1, 9.0, 0, $idle, Disabled
Card of the tests, 580.1, 9.0, 0, $idle, Disabled"
smi "$four"
# ranks EDIT: lesson 18 on the host. Its edit stands before the gathering.
ranks() { sed "s|EDIT|$1|" >"$work/ranks.cu" <<'END'
#include <cstdio>
#include <cstdlib>
#include <mpi.h>
#include <vector>
extern "C" int cudaGetDeviceCount(int *);
static void decay(float *x, int n, int steps) {
    for (int i = 0; i < n; i++)
        for (int step = 0; step < steps; step++) x[i] *= 0.9f;
}
void decay_on_all(float *h_x, int n, int steps) { decay(h_x, n, steps); }
void decay_on_ranks(float *h_x, int n, int steps, MPI_Comm comm) {
    int rank = 0, ranks = 0, devices = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    cudaGetDeviceCount(&devices);
    std::vector<int> counts(ranks), firsts(ranks);
    for (int r = 0, next = 0; r < ranks; next += counts[r++]) {
        counts[r] = n / ranks + (r < n % ranks);
        firsts[r] = next;
    }
    std::vector<float> own(counts[rank] + 1);
    MPI_Scatterv(h_x, counts.data(), firsts.data(), MPI_FLOAT, own.data(), counts[rank], MPI_FLOAT, 0, comm);
    decay(own.data(), counts[rank], steps);
    EDIT
    MPI_Gatherv(own.data(), counts[rank], MPI_FLOAT, h_x, counts.data(), firsts.data(), MPI_FLOAT, 0, comm);
}
END
}
if [ -x /usr/bin/mpicxx.mpich ]; then
    ranks ''
    lesson=18 on_card "$work/ranks.cu" --device cuda
    check "ranks start on a card, in the sandbox" "[ \$(grep -c '✓ .* ranks' $work/out) = 4 ] && [ $status = 0 ]"
    check "a case for more cards than there are is not run" "grep -q 'not run: the case needs 7 cards, and this machine has 4' $work/out"
    check "the meeting of ranks has no time" "! grep '✓ .* ranks' $work/out | grep -q '[mµ]s'"
    ranks 'if (devices == 2 \&\& rank == 1) *(volatile int *)0 = 1;'
    lesson=18 on_card "$work/ranks.cu" --device cuda
    check "a rank that crashes costs its case" "[ $status = 1 ] && [ \$(grep -c ✗ $work/out) = 1 ] && grep -q 'with two devices: the program crashed (Segmentation fault)' $work/out"
    ranks 'if (counts[rank] == 0 \&\& n == 3) { fprintf(stderr, "no numbers for me\\n"); exit(3); }'
    lesson=18 on_card "$work/ranks.cu" --device cuda
    check "what a rank said last is told" "[ $status = 1 ] && [[ \$(screen) == *'fewer numbers than four ranks: the program ended with status '*', after printing \"no numbers for me\"'* ]]"
else
    echo "SKIPPED ranks on a card: there is no mpicxx.mpich"
fi
smi "Card of the tests, 580.1, 9.0, 0, $idle, Disabled"

# ---- what NVIDIA's tools say: make profile ----

# tool NAME: a script of that name beside nvcc, from standard input.
tool() { cat >"$toolkit/bin/$1" && chmod +x "$toolkit/bin/$1"; }
profile() { # FILE
    CASE=${case:-} CUDA_HOME=$toolkit PATH=$toolkit/card/bin:/usr/bin:/bin BUILD=$build bash bench/card/profile.sh 01 "$1" >"$work/out" 2>"$work/log"
    status=$?
}
tool compute-sanitizer <<'END'
#!/bin/bash
"${@:3}" && echo "========= ERROR SUMMARY: $((${#2} - 8)) errors"
END
# As ncu prints it, every value 1,024 but those of two metrics: so many sectors and requests.
tool ncu <<'END'
#!/bin/bash
while [ "${1:0:1}" = - ]; do
    case $1 in --csv) shift ;; --metrics) metrics=$2; shift 2 ;; *) shift 2 ;; esac
done
"$@" && echo "==PROF== Connected to process 1"
IFS=, read -ra names <<<"$metrics"
row() { printf '"%s","%s"' "$1" "$2"; printf ',"%s"' "${@:3}"; echo; }
for name in "${names[@]}"; do
    case $name in *sectors*global_op_ld*) values+=(4,000) ;; *requests*global_op_ld*) values+=(1,000) ;; *) values+=(1,024) ;; esac
done
row ID "Kernel Name" "${names[@]}"
row "" "" "${names[@]/*/unit}"
row 0 "add(float *, float *, int)" "${values[@]}"
END
# ---- make time: the table, and what stays of it for the page ----

mkdir "$work/tree"
mkdir "$work/tree/lessons" "$work/tree/bench" && ln -s "$PWD/lessons/01-vector-add" "$work/tree/lessons/" && ln -s "$PWD/solutions" "$work/tree/" && cp -r bench/card "$work/tree/bench/" && ln -s "$PWD/warpgrind" "$work/tree/"
echo '// CUB' >"$work/tree/bench/card/beside/01-vector-add.cu"
timed() { # FILE: as make time does it, in a folder where work/ is its own
    CUDA_HOME=$toolkit PATH=$toolkit/card/bin:/usr/bin:/bin BUILD=$build bash "$work/tree/bench/card/time.sh" 01 "$1" >"$work/out" 2>"$work/log"
    status=$?
}
kept=$work/tree/work/cards/01-vector-add.csv
timed "$toolkit/both.cu"
check "time: the learner's row stands beside the solution's" "[ $status = 0 ] && grep -q '^solution *1000 *2.5 *800 *20 % *80 %$' $work/out && grep -q '^yours *1000 *2.5 *800 *20 % *80 %$' $work/out"
check "time: a library that cannot run has no row, and the others have theirs" "grep -q '^No row of CUB, which cannot run: libcub.so: cannot open' $work/log && ! grep -q '^CUB' $work/out"
check "time: and says how far the calls of a row lie apart" "grep -q 'within 8 % of its median' $work/out"
check "time: the table is kept for the page, with card, driver, date and command" \
    "grep -q \"^# Measured on one Card of the tests, driver 580.1, with CUDA 13.0 on $(date +%F) by make time LESSON=01\" $kept && [ \$(grep -c ',2.5,800$' $kept) = 2 ]"
rm "$kept"
for disturbed in "busy 97, $idle, Disabled" "shared 0, $idle, Enabled" "throttled 0, 0x0000000000000021, Disabled"; do
    smi "Card of the tests, 580.1, 9.0, ${disturbed#* }"
    timed "$toolkit/both.cu"
    check "time: none on a card that is ${disturbed%% *}" "[ $status = 1 ] && [ ! -e $kept ] && grep -q 'no times now: the card is ${disturbed%% *}' $work/log"
done
smi "Card of the tests, 580.1, 9.0, 0, $idle, Disabled"
YOURS=1.5 timed "$toolkit/both.cu"
check "time: other numbers than the solution's at the timed sizes, and nothing is kept" "[ $status = 1 ] && [ ! -e $kept ] && grep -q 'leaves other numbers than the solution' $work/log"
timed "$toolkit/both.cu"
# The harness itself, on warpgrind: a sum that the hundredth call forgets.
sed 's/^void block_sum(/void forgetful(/' solutions/07-block-sum-dynamic/solution.cu >"$work/forgetful.cu"
cat >>"$work/forgetful.cu" <<'END'
void block_sum(float *d_out, const float *d_in, int threads) {
    static int calls;
    forgetful(d_out, d_in, threads);
    if (++calls == 100) cudaMemset(d_out, 0, sizeof *d_out);
}
END
"$build/bin/warpcc" -O2 -w -o "$work/forgetful" bench/card/07-block-sum-dynamic.cu "$work/forgetful.cu" && "$build/bin/warpgrind" --quiet "$work/forgetful" >"$work/out" 2>"$work/log"
check "time: a timed call that leaves other numbers ends it" "grep -q '^call 100 left 0 where the first call left' $work/log"
sed 's/i < n; i++) z/i < n - 1; i++) z/' "$toolkit/both.cu" >"$work/wrong.cu"
rm "$kept"
timed "$work/wrong.cu"
check "time: nothing is measured of a wrong answer, and nothing kept" "[ $status = 1 ] && [ ! -e $kept ] && grep -q 'is not right on the card' $work/log"

profile "$toolkit/both.cu"
check "profile: the card's counters beside warpgrind's" "[ $status = 0 ] && grep -q 'sectors a global read *4 *4.5  of 32 bytes' $work/out && grep -q '^add, launch 1 *card *warpgrind' $work/out"
check "profile: what warpgrind does not model is a dash" "grep -q 'registers a thread *1024 *-  times' $work/out"
check "profile: compute-sanitizer's count beside warpgrind's" "grep -q '^memory *0 *0$' $work/out && grep -q '^races in shared memory *1 *0$' $work/out"
check "profile: the case with the largest inputs" "grep -q 'the case: 300,007 elements' $work/out"
case=2 profile "$toolkit/both.cu"
check "profile: another case" "[ $status = 0 ] && ! grep -q 'the case: 300,007 elements' $work/out"
case=77 profile "$toolkit/both.cu"
check "profile: a case that there is not" "[ $status = 2 ] && grep -q 'there is no case 77' $work/log"
# Where bwrap cannot be started, as in many containers; the file is the learner's own.
if unshare -m true 2>/dev/null; then
    without_bwrap() { unshare -m bash -c 'mount --bind /dev/null /usr/bin/bwrap && exec "$@"' without "$@"; }
    CUDA_HOME=$toolkit PATH=$toolkit/card/bin:/usr/bin:/bin BUILD=$build without_bwrap bash "$work/tree/bench/card/time.sh" 01 "$toolkit/both.cu" >"$work/out" 2>"$work/log"
    check "time: without a sandbox, and says so" "[ $? = 0 ] && grep -q 'runs without one' $work/log && grep -q '^yours *1000' $work/out"
    student 'if (n == 257) { fprintf(stderr, "%s:9: an illegal memory access\\n", __FILE__); exit(1); }'
    CUDA_HOME=$toolkit PATH=$toolkit/card/bin:$PATH without_bwrap "$build/bin/warpschool" check 01 "$work/student.cu" --device cuda --sandbox=none >"$work/none" 2>>"$work/log"
    check "time: without a sandbox, a file goes by its own name" "grep -q '\"student.cu:9: an' $work/none"
else
    echo "SKIPPED a machine without bubblewrap: this user may hide nothing"
fi
tool ncu <<'END'
#!/bin/bash
echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters"; exit 1
END
profile "$toolkit/both.cu"
check "profile: counters that one may not read" "[ $status = 0 ] && grep -q 'may not read this card.s counters' $work/out && grep -q 'sectors a global read *- *4.5 ' $work/out"
printf '#!/bin/bash\necho "==ERROR== Failed to find a supported driver"; exit 1\n' >"$toolkit/bin/ncu"
profile "$toolkit/both.cu"
check "profile: a profiler that cannot start says why" "[ $status = 0 ] && grep -q '^Nsight Compute said nothing of a kernel: Failed to find a supported driver' $work/out"
rm "$toolkit/bin/ncu" "$toolkit/bin/compute-sanitizer"
if [ -z "$(PATH=/usr/bin:/bin:/usr/local/cuda/bin command -v ncu)" ]; then
    profile "$toolkit/both.cu"
    check "profile: tools that are not installed" "[ $status = 0 ] && grep -q '(ncu) is not installed' $work/out && grep -q 'compute-sanitizer is not installed' $work/out"
else
    echo "SKIPPED tools that are not installed: this machine has them"
fi
profile "$work/nowhere.cu"
check "profile: a file that is not there" "[ $status = 2 ] && grep -q 'make exercise LESSON=01' $work/log"

# ---- beside the software GPU ----

student ''
on_card "$work/student.cu" --device both
check "both: the verdict is the software GPU's" "[ $status = 1 ] && grep -q '^01-vector-add: not yet' $work/out"
check "both: the card has its lines" card_lines
check "both: and says whom to believe" "[[ \$(screen) == *'Believe the software GPU: its not-'*'is there whether or not'* ]]"
student ''
on_card "$work/student.cu" --device both --json
check "schema: both in one result" "valid docs/result.schema.json $work/out && [ \"\$(jq -r '.device + \" \" + .card.device' $work/out)\" = 'warpgrind Card of the tests' ]"
student '} // a mistake'
on_card "$work/student.cu" --device both
check "both: what does not compile is told once" "[ \$(grep -c '^compile-error' $work/out) -ge 1 ] && ! grep -q 'Card of the tests' $work/out"

# ---- a learner's exercise asks a card that is there ----

course=$work/course
mkdir -p "$course/work" && cp -r lessons starter "$course/"
student '' && cp "$work/student.cu" "$course/work/01-vector-add.cu"
# exercise PATH OPTION...
exercise() {
    local path=$1
    shift
    CUDA_HOME=$toolkit PATH=$path "$build/bin/warpschool" --root "$course" exercise 01 "$@" >"$work/out" 2>"$work/log"
}
exercise "$toolkit/card/bin:$PATH"
check "an exercise asks the card that is there" "grep -q '^On the Card of the tests' $work/out && grep -q '^01-vector-add: not yet' $work/out"
exercise "$toolkit/card/bin:$PATH" --device soft
check "unless it is told not to" "! grep -q 'Card of the tests' $work/out && grep -q '^01-vector-add: not yet' $work/out"
exercise "$toolkit/card/bin:$PATH" --device abacus
check "and knows which there are" "grep -q 'there is no device .abacus.' $work/log"

# Where clang cannot be started, the card alone tells what it knows: the times, or what its compiler says.
if unshare -m true 2>/dev/null; then
    clang=$(dirname "$(readlink -f /usr/bin/clang)") && mkdir "$work/nothing"
    without_clang() { unshare -m bash -c 'mount --bind "$1" "$2" && exec "${@:3}"' without "$work/nothing" "$clang" "$@"; }
    both() { CUDA_HOME=$toolkit PATH=$toolkit/card/bin:$PATH without_clang "$build/bin/warpschool" check 01 "$work/student.cu" --device both >"$work/out" 2>"$work/log"; }
    student '' && both
    check "both: without clang, the card's half is there" "grep -q 'clang is not installed' $work/out && card_lines"
    student '} // a mistake' && both
    check "both: without clang, the errors are nvcc's" "grep -q '^  compile-error, line 3: expected a' $work/out"
else
    echo "SKIPPED a machine without clang: this user may hide nothing"
fi

# ---- a card that is not there, or not fit ----

student ''
# disturbed NAME LINE WANTED
disturbed() {
    smi "$2"
    on_card "$work/student.cu" --device cuda
    check "times are not to be trusted: $1" "[[ \$(screen) == *'Do not trust these times: '*'$3'* ]]"
}
disturbed busy "Card of the tests, 580.1, 9.0, 97, 0x0000000000000000, Disabled" 'other programs are using the card'
disturbed parts "Card of the tests, 580.1, 9.0, 0, $idle, Enabled" 'cut into parts (MIG)'
disturbed heat "Card of the tests, 580.1, 9.0, 0, 0x0000000000000021, Disabled" 'held back to save power'
smi "Card of the tests, 580.1, 9.0, 0, $idle, [N/A]"
on_card "$work/student.cu" --device cuda
check "on a quiet card nothing is said against the times" "[ $status = 0 ] && ! grep -q 'Do not trust' $work/out"
smi "Old card, 470.1, 3.5, 0, $idle, [N/A]"
on_card "$work/student.cu" --device cuda
check "a card that nvcc has no code for" "[ $status = 3 ] && [[ \$(screen) == *'this nvcc makes no code for the Old card (sm_35)'* ]]"
smi "Card of the tests, 580.1, 9.0, 0, $idle, Disabled"
missing() { # PATH, CUDA_HOME
    CUDA_HOME=$2 PATH=$1 "$build/bin/warpschool" check 01 "$work/student.cu" --device cuda >"$work/out" 2>"$work/log"
    status=$?
}
if ! command -v nvidia-smi >/dev/null; then
    missing /usr/bin:/bin "$toolkit"
    check "no driver" "[ $status = 3 ] && [[ \$(screen) == *'there is no NVIDIA driver on this machine'* ]]"
else
    echo "SKIPPED a machine without a driver: this one has one"
fi
if ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
    missing "$toolkit/card/bin:/usr/bin:/bin" /nowhere
    check "no compiler" "[ $status = 3 ] && [[ \$(screen) == *'there is no nvcc, which compiles for the Card of the tests'* ]]"
else
    echo "SKIPPED a machine without nvcc: this one has it"
fi
printf '#!/bin/sh\necho NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.\nexit 9\n' >"$toolkit/card/bin/nvidia-smi"
on_card "$work/student.cu" --device cuda
check "a driver without a card" "[ $status = 3 ] && [[ \$(screen) == *'nvidia-smi finds no card: NVIDIA-SMI has failed'* ]]"
printf '#!/bin/sh\necho one, two\n' >"$toolkit/card/bin/nvidia-smi"
on_card "$work/student.cu" --device cuda
check "a driver that says something else" "[ $status = 3 ] && grep -q 'nvidia-smi finds no card: one, two' $work/out"

# ---- the lessons' own programs beside a card ----

smi "Card of the tests, 580.1, 9.0, 0, $idle, Disabled"
FILTER=18 PATH=$toolkit/bin:$toolkit/card/bin:$PATH bash tests/lessons/card.sh run "$work/lessons" >"$work/out" 2>"$work/log"
check "a lesson for several devices is not run on one card, and says so" "[ $? = 0 ] && [ \$(grep -c '^18-multi-gpu.*not run: it needs 2 cards, and there is 1' $work/lessons/card.tsv) = 1 ] && grep -q 'needs 2 cards' $work/log"

# ---- a class, on cards taken in turn ----

smi "First card, 580.1, 9.0, 0, $idle, Disabled
Second card, 580.1, 9.0, 0, $idle, Disabled"
mkdir -p "$work/class"
for name in ada bob cyd; do
    mkdir -p "$work/class/$name" && cp "$toolkit/both.cu" "$work/class/$name/01-vector-add.cu"
    echo "// of $name" >>"$work/class/$name/01-vector-add.cu"
done
class() { # OPTION...
    CUDA_HOME=$toolkit PATH=$toolkit/card/bin:$PATH "$build/bin/warpschool" grade "$work/class" --gradebook "$work/class.db" --allow-weak-sandbox "$@" >"$work/out" 2>"$work/log"
    status=$?
}
times() { "$build/bin/warpschool" export times --gradebook "$work/class.db" -o "$work/times.csv" 2>>"$work/log"; }
class -j3
times
check "a class: without a card there are no times" "[ $status = 0 ] && [ \$(wc -l <$work/times.csv) = 1 ]"
class -j3 --device cuda
times
check "a class: all are judged again for their times" "[ $status = 0 ] && grep -q '^3 judged' $work/out"
check "a class: the times of each case of each student" "[ \$(grep -c '^\"*[a-c][a-z]*\"*,' $work/times.csv) = 21 ] && grep -q 'First card' $work/times.csv && grep -q 'Second card' $work/times.csv"
"$build/bin/warpschool" export csv --gradebook "$work/class.db" -o "$work/grades.csv" 2>>"$work/log"
check "a class: the verdict is the software GPU's" "[ \$(grep -c ',fail,' $work/grades.csv) = 3 ] && [ \$(grep -c '\"*pass\"*,[0-9]' $work/times.csv) -ge 18 ]"
check "a class: the solution's time stands beside each" "[ \$(awk -F, '\$5 != \"\" && \$9 + 0 > 0' $work/times.csv | grep -c 'pass') -ge 18 ]"
class -j3 --device cuda
check "a class: and once is enough" "[ $status = 0 ] && grep -q '^0 judged' $work/out"
mkdir -m 700 "$work/jobs"
exec 9>"$work/jobs/card-$(hostname)-0.lock"
flock 9
class -j2 --device cuda --new-seed --spool "$work/jobs"
times
check "a class: a card that another worker has is left alone" "[ $status = 0 ] && ! grep -q 'First card' $work/times.csv && grep -q 'Second card' $work/times.csv"
exec 9>&-
CUDA_VISIBLE_DEVICES=1 class -j2 --device cuda --new-seed
times
check "a class: and so is one that is not to be seen" "[ $status = 0 ] && ! grep -q 'First card' $work/times.csv"
# On the host, which is the card here, a program that leaves times of its own: no machine is that slow.
cat >>"$work/class/cyd/01-vector-add.cu" <<'END'
#ifndef __CUDACC__
#include <cstdio>
static struct Slow {
    ~Slow() {
        char path[32];
        for (int i = 0; i < 9; i++) {
            snprintf(path, sizeof path, "/answers/%02d/times", i);
            FILE *times = fopen(path, "r+");
            for (int call = 0; times && call < 5; call++) fputs("9e8 400\n", times);
            if (times) fclose(times);
        }
    }
} slow;
#endif
END
printf 'id: warpschool\ncard: {percent: 50, full_at: 400, none_at: 900}\n' >"$work/rules.yaml"
class -j2 --device cuda --course "$work/rules.yaml"
"$build/bin/warpschool" gradebook --gradebook "$work/class.db" --student ada >"$work/ada" 2>>"$work/log"
"$build/bin/warpschool" gradebook --gradebook "$work/class.db" --student cyd >"$work/cyd" 2>>"$work/log"
check "a class: by the rules, a time costs nothing near the solution's" "grep -q 'time on the card: 0, by the rules: 50 % of the points go by .*times as long as the course.s solution' $work/ada"
check "a class: and half of the points far from it" "grep -q 'time on the card: -[0-9.]*, by the rules: 50 % of the points go by .*takes [0-9.]* times as long' $work/cyd"
"$build/bin/warpschool" export text --gradebook "$work/class.db" --student cyd -o "$work/cyd.txt" 2>>"$work/log"
check "a class: and the student reads why" "grep -q '^time on the card, -[0-9.]* point' $work/cyd.txt"
class --device abacus
check "a class: a device that there is not" "[ $status = 2 ] && grep -q 'soft or cuda' $work/log"

# ---- orders that make no sense ----

on_card "$work/student.cu" --device cuda --grade
check "a card takes no part in grading" "[ $status = 2 ] && grep -q 'takes no part in grading' $work/log"
on_card "$work/student.cu" --device tpu
check "a device that there is not" "[ $status = 2 ] && grep -q 'there is no device .tpu.' $work/log"
finish
