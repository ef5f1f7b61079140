#!/bin/bash
# What a check leaves behind: a result as its schema says, a picture of the lesson's kernel, and nobody who still runs when it is killed.
# BUILD names the build folder. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/cli/common.bash"

for file in solutions/07-block-sum-dynamic/solution.cu solutions/07-block-sum-dynamic/mutants/{missing-barrier,barrier-in-if,swapped-launch}.cu; do
    "$build/bin/warpschool" check 07-block-sum-dynamic "$file" --json >"$work/result.json" 2>"$work/log"
    check "schema: result of $(basename "$file")" "valid docs/result.schema.json $work/result.json"
done


# ---- what a pass has shown: of each objective whether this run did ----

# shown_of LESSON FILE: the checks of the objectives that are not shown, then the kinds of the notes.
shown_of() {
    "$build/bin/warpschool" check "$1" "$2" --json 2>"$work/log" |
        jq -r '[.verdict] + [.objectives[] | select(.shown | not) | .check] + ["|"] + ([.findings[].kind] | unique) | join(" ")'
}
# shows WANTED LESSON SCRIPT: the lesson's solution after an edit.
shows() {
    sed "$3" solutions/"$2"/solution.cu >"$work/edited.cu"
    check "$2 after $3" "! cmp -s $work/edited.cu solutions/$2/solution.cu && [ '$(shown_of "$2" "$work/edited.cu")' = '$1' ]"
}
add=01-vector-add sum=07-block-sum-dynamic
check "a solution shows everything" "[ '$(shown_of $add solutions/$add/solution.cu)' = 'pass |' ]"
shows 'pass unchecked-error | unchecked-error' $add 's/CHECK(cudaFree(d_y));/cudaFree(d_y);/'
shows 'pass unchecked-error | unchecked-error' $add 's/CHECK(cudaGetLastError());/cudaGetLastError();/'
shows 'pass unchecked-error | unchecked-error' $add '/cudaGetLastError/d'
shows 'pass unchecked-error | unchecked-error' $add 's/if (status_ != cudaSuccess) {/if (false) {/; s/cudaError_t status_ = (call);/call; cudaError_t status_ = cudaSuccess;/'
shows 'pass |' $add 's/CHECK(cudaGetLastError());/if (cudaPeekAtLastError() != cudaSuccess) return;/'
shows 'pass barrier-divergence | barrier-divergence' $sum 's/if (tid < d) temp/if (tid >= d) return; temp/'
scan=24-scan
check "a line of the budget that is not kept proves nothing" \
    "[ \"\$(shown_of $scan solutions/$scan/mutants/thread-zero-scans.cu)\" = 'pass budget: longest_thread | over-budget' ]"
check "who allocates nothing gives nothing back" \
    "[ \"\$(shown_of $scan solutions/$scan/mutants/one-thread.cu)\" = 'pass budget: longest_thread budget: block_share leak | over-budget' ]"
rows=05-matrix-2d
check "elements that several blocks write show no grid that shares them" \
    "[ \"\$(shown_of $rows solutions/$rows/mutants/step-of-a-block.cu)\" = 'pass budget: launched_threads budget: global_sectors budget: global_writes | global-race over-budget' ]"
# ---- of a lesson ----

course=$work/course
mkdir -p "$course/work" && cp -r lessons starter "$course/"
warpschool() { "$build/bin/warpschool" --root "$course" "$@" >"$work/out" 2>"$work/log"; status=$?; }
cp solutions/07-block-sum-dynamic/mutants/missing-barrier.cu "$course/work/07-block-sum-dynamic.cu"
warpschool exercise 07
check "exercise offers a picture of a race" 'grep -q "make picture LESSON=07" "$work/out"'
warpschool picture 07
check "picture writes it beside the file" '[ $status -eq 1 ] && grep -q "work/07-block-sum-dynamic.html" "$work/out" && cp "$course/work/07-block-sum-dynamic.html" "$work/page.html" && says ".findings[0].kind == \"shared-race\" and (.told[0] | .kind == \"shared-race\" and .line == 25 and .case == \"a block of 64, two warps\")"'
check "with the learner's own source" 'grep -q "__global__ void block_sum_kernel" "$work/page.html"'
check "and the command that makes it again" 'grep -q "\"again\":{\"words\":\"make picture LESSON=07\",\"rest\":\"\",\"variables\":true}" "$work/page.html"'
warpschool picture --block=0 --warp=1 --from=2 07
cp "$course/work/07-block-sum-dynamic.html" "$work/page.html"
check "of what is chosen, and of the same case" '[ $status -eq 1 ] && says ".chosen == {launch: 0, blocks: \"0\", warp: 1, from: 2} and .told[0].case == \"a block of 64, two warps\" and .block == [64, 1, 1] and ([.steps[] | select(.[0] == \"r\" and (.[-1] | length == 0)) | .[2]] | unique == [1])"'
warpschool picture --block=x 07
check "of nothing that is none" '[ $status -eq 2 ] && grep -q -- "--block takes a block.s index" "$work/log"'
cp starter/01-vector-add.cu "$course/work/01-vector-add.cu"
warpschool exercise 01
check "and offers none where it would not help" '! grep -q "make picture" "$work/out"'
echo '#error' >"$course/work/01-vector-add.cu"
warpschool picture 01
check "no kernel, no picture, and that is said" 'grep -q "no kernel of yours has run" "$work/out"'
cp solutions/$add/solution.cu "$course/work/$add.cu"
warpschool exercise 01
check "a pass says what was shown" '[ $status -eq 0 ] && grep -q "You can now" "$work/out" && grep -q "look at the status of every" "$work/out"'
sed 's/CHECK(cudaFree(d_y));/cudaFree(d_y);/' solutions/$add/solution.cu >"$course/work/$add.cu"
warpschool exercise 01
check "and nothing else" '[ $status -eq 0 ] && grep -q "You can now" "$work/out" && ! grep -q "look at the status of every" "$work/out"'
"$build/bin/warpschool" check 07 solutions/07-block-sum-dynamic/mutants/missing-barrier.cu --json --picture "$work/page.html" >"$work/out"
check "check makes one of any file, and its result is as without" 'json_says "has(\"picture\") | not" "$work/out" && says ".kernel == \"block_sum_kernel\""'
"$build/bin/warpschool" check 19 tests/judged/A30-mask-of-those-here.cu --json >"$work/out"
check "a mask of whoever is here is right, and shows nothing of masks" 'json_says ".verdict == \"pass\" and ([.objectives[] | select(.shown | not) | .check] == [\"invalid-mask\"])" "$work/out"'
# ---- a line of the budget bounds each call of a case that is called twice ----

for line in 'launches, at_most: "1"' 'global_atomics, at_most: "ceil(n, threads)"' 'device_waits, at_most: "0"' 'device_steps, at_most: "20 * n"' 'block_share, at_most: "25"'; do
    sed -i "s/^budget:/&\n  - {what: $line, case: called twice in a row, points: 1, why: It is the cost of one call.}/" "$course/lessons/12-grid-sum-atomic/lesson.yaml"
done
# With a launch more, and a wait for the device, in the call that is the N-th of all, counted from 0: the first of the two is 5.
costs_of() {
    sed "s/^void grid_sum(.*/__global__ void nothing() {}\nstatic int calls = 0;\n&\n    if (calls++ == $1) nothing<<<1, 32>>>(), cudaDeviceSynchronize();/" \
        solutions/12-grid-sum-atomic/solution.cu >"$work/calls.cu"
    "$build/bin/warpschool" --root "$course" check 12 "$work/calls.cu" --json 2>"$work/log" |
        jq -r '[.budget[] | select(.case == "called twice in a row" and .what != "device_steps") | "\(.what) \(.measured)"] | join(", ")'
}
check "a budget of one call, where both cost the same" "[ \"\$(costs_of -1)\" = 'block_share 0, device_waits 0, global_atomics 129, launches 1' ]"
for call in 5 6; do
    check "and where call $call costs more" "[ \"\$(costs_of $call)\" = 'block_share 0, device_waits 1, global_atomics 129, launches 2' ]"
done
# One warp is the smallest case that fails and is called once: its block has 32 threads.
"$build/bin/warpschool" check 07 tests/judged/A28-worked-by-hand.cu --json --picture "$work/page.html" >"$work/out"
check "a picture shows the case that is worked out by hand" 'says ".block == [32, 1, 1]" && grep -qF "By hand, in the case \\\"one warp\\\"" "$work/out"'
check "with what was expected beside what came" 'says ".answer | .case == \"one warp\" and .name == \"sum\" and .from == 0 and .wrong == [0] and (.expected | length) == 1 and .expected != .yours" && says ".told[0].kind == \"wrong-answer\""'

# ---- devices that leave no report: by a stand-in, which breaks down where its arguments match ----

tree=$work/tree
mkdir -p "$tree/build/bin" && cp -r lessons "$tree"
# The device sees no /tmp, and is another user where the judge is root.
real=$(mktemp -d /var/tmp/real.XXXXXX) && chmod 755 "$real" && cp "$build/bin/warpgrind" "$real/"
for part in lib include lessons; do ln -s "$build/$part" "$tree/build/$part"; done
cp "$build"/bin/{warpschool,warpcc} "$tree/build/bin/"
breaks_at() { # pattern, exit status or signal
    printf '#!/bin/sh\ncase "$*" in\n%s) echo "the stand-in breaks" >&2; %s ;;\nesac\nexec %s/warpgrind "$@"\n' "$1" "$2" "$real" >"$tree/build/bin/warpgrind"
    chmod 755 "$tree/build/bin/warpgrind"
    "$tree/build/bin/warpschool" check 01 solutions/01-vector-add/solution.cu --json >"$work/out" 2>"$work/log"
}
breaks_at '*reports/0-*' 'exit 4'
check "a device that breaks once is tried again" "json_says '.verdict == \"pass\"' $work/out"
breaks_at '*reports/0-*' 'kill -SEGV $$'
check "also by a signal" "json_says '.verdict == \"pass\"' $work/out"
breaks_at '*--program=*' 'exit 4'
check "one that breaks each time, where another works, is the file's doing" \
    "json_says '.verdict == \"fail\" and .score == 0 and .findings[0].kind == \"limit\" and (.findings[0].message | contains(\"tried twice\") and contains(\"the stand-in breaks\"))' $work/out"
breaks_at '*' 'exit 4'
check "where none works, it is not" "json_says '.verdict == \"error\" and (.problem | contains(\"the stand-in breaks\"))' $work/out"
breaks_at '*--program=*' 'kill -KILL $$'
check "nor where somebody kills it" "json_says '.verdict == \"error\" and (.problem | contains(\"Killed\"))' $work/out"
rm -r "$real"

# --- a check is killed, at any moment: a bubblewrap that starts just then must not stay behind (ORPHAN_KILLS=500 looks harder)
"$build/bin/warpschool" check 01 solutions/01-vector-add/solution.cu --json >"$work/out" 2>"$work/log"
check "the check that is to be killed works" "json_says '.verdict == \"pass\"' $work/out"
kills=${ORPHAN_KILLS:-24}
python3 tests/cli/orphans.py "$kills" 0.5 "$build/bin/warpschool" check 01 solutions/01-vector-add/solution.cu --json >"$work/out" 2>"$work/log"
check "a check that is killed leaves nobody behind" "grep -qE '^0 of [1-9][0-9]*, [0-9]* of them in the middle$' $work/out"
check "some were killed while a bubblewrap began" "! grep -q ', 0 of them' $work/out"

# --- Ctrl-C goes to the command's whole group, and where nothing locks a program in, what it has started is ended all the same
nap=9$$.25
sed "s/NAP/$nap/" tests/cli/attacks/prelude.cuh - >"$work/leaves.cu" <<'END'
void vector_add(float *, const float *, const float *, int) {
    const char *argv[] = {"sleep", "NAP", nullptr};
    if (fork() == 0 && setsid() > 0) {
        if (fork() == 0) execv("/usr/bin/sleep", const_cast<char **>(argv));
        pause();
    }
    pause();
}
END
sleepers() { ps -eo pid=,args= | awk -v nap="$nap" '$2 == "sleep" && $3 == nap { print $1 }'; }
awaits() { # WANTED: whether so many sleepers are there, within some seconds
    local i
    for ((i = 0; i < 160; i++)); do
        [ "$(sleepers | wc -l)" -ne "$1" ] || return 0
        sleep 0.05
    done
    return 1
}
TMPDIR=$work env --default-signal=INT setsid "$build/bin/warpschool" check 01 "$work/leaves.cu" --sandbox=none >"$work/out" 2>&1 </dev/null &
check "a program in no sandbox starts others, a pair for each order" "awaits 2"
kill -INT -- -$!
check "Ctrl-C ends the check" "! wait $!"
check "and all of them" "awaits 0"
sleepers | xargs -r kill -KILL
finish
