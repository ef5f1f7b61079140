#!/bin/bash
# A learner's kernel in the debugger, in a copy of the course: make debug opens it at what is wrong. BUILD names the build folder. Ends with
# "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export NO_COLOR=1 LC_ALL=C.UTF-8 COLUMNS=80
course=$work/course
mkdir -p "$course/lessons" "$course/work" && cp -r starter "$course/" && cp lessons/groups.txt "$course/lessons/"
for lesson in 01-vector-add 07-block-sum-dynamic 14-streams-and-events 18-multi-gpu 23-matrix-product 24-scan; do cp -r lessons/$lesson "$course/lessons/"; done
sed -i 's/^needs: .*/needs: []/' "$course"/lessons/*/lesson.yaml

# opens LESSON FILE [OPTIONS]: the debugger for that file, with commands on stdin; leaves out and $status.
opens() {
    cp "$2" "$course/work/$(basename "$(echo lessons/"$1"-*)").cu"
    timeout 300 "$build/bin/warpschool" --root "$course" debug "${@:3}" "$1" >"$work/out" 2>"$work/log"
    status=$?
}
check() { # name, condition
    local problem=
    selected "$1" || return 0
    eval "$2" || problem="not so: $2 $(tail -n 12 "$work/out" "$work/log")"
    verdict "$1" "$problem"
}
says() { tr '\n' ' ' <"$work/out" | grep -qF -- "$1"; }

opens 07 solutions/07-block-sum-dynamic/mutants/missing-barrier.cu <<'COMMANDS'
p tid
other
p tid
quit
COMMANDS
check "it opens at the first finding" '[ $status -eq 0 ] && says "In the case \"two threads, called twice\" something is found, and in no smaller one" && grep -q "^shared-race: threads" "$work/out" && grep -q "in block_sum_kernel at 07-block-sum-dynamic.cu:" "$work/out"'
check "the other party is one command away" '[ "$(sed -n "/^(warpgrind) p tid/{n;p}" "$work/out" | sort -u | wc -l)" -eq 2 ]'
sed 's/\(z\[i\] = \)/\12 * /' solutions/01-vector-add/solution.cu >"$work/wrong.cu"
opens 01 "$work/wrong.cu" <<'COMMANDS'
n
info locals
c
quit
COMMANDS
check "a wrong answer opens at the kernel's first line, with the case and what is wrong" 'says "Nothing else is found, so the debugger stops at the first line of the kernel" && grep -q "^In the case \"[^\"]*\" .*should be" "$work/out" && grep -q "^(warpgrind) start" "$work/out" && grep -q "thread (0,0,0) of block (0,0,0) in .*01-vector-add.cu:" "$work/out"'
check "which the debugger then runs to its end" 'grep -q "The program has ended, exit status 0; 0 errors found" "$work/out"'
opens 01 solutions/01-vector-add/solution.cu <<<quit
check "without a finding it says so, and opens all the same" '[ $status -eq 0 ] && says "Nothing is found in the cases that you can see." && grep -q "in .*01-vector-add.cu:" "$work/out"'
echo nonsense | cat solutions/01-vector-add/solution.cu - >"$work/broken.cu"
opens 01 "$work/broken.cu" </dev/null
check "what does not compile is not debugged" '[ $status -eq 1 ] && says "What is wrong: make exercise LESSON=01" && grep -q "unknown type name" "$work/log"'
opens 18 solutions/18-multi-gpu/solution.cu </dev/null
check "ranks are refused in words" '[ $status -eq 1 ] && says "MPI ranks, which have no debugger here. make picture LESSON=18"'
opens 07 solutions/07-block-sum-dynamic/mutants/missing-barrier.cu --prepare </dev/null
check "an editor has it prepared: how the run is repeated" '[ $status -eq 0 ] && [ -x "$course/work/.debug/07-block-sum-dynamic/program" ] && json_says ".devices == 1 and (.stopOnEntry | not) and .streamOrder == \"late\" and (.args | length == 2)" "$course/work/.debug/07-block-sum-dynamic/launch.json"'

mkdir "$course/.vscode" && echo '{"version": "0.2.0", "configurations": [{"name": "mine"}, {"name": "old", "preLaunchTask": "warpschool: prepare 99-gone"}]}' >"$course/.vscode/launch.json"
for i in 1 2; do "$build/bin/warpschool" --root "$course" vscode >"$work/out" 2>"$work/log"; status=$?; done
check "an editor gets a configuration for each lesson, beside those that it has" '[ $status -eq 0 ] && says "Run and Debug" &&
    json_says "[.configurations[].name] == [\"mine\", \"01-vector-add\", \"07-block-sum-dynamic\", \"14-streams-and-events\", \"23-matrix-product\", \"24-scan\"]" "$course/.vscode/launch.json"'
task=$(jq -r '.configurations[2].preLaunchTask' "$course/.vscode/launch.json")
rm -rf "$course/work/.debug"
jq -r --arg task "$task" '.tasks[] | select(.label == $task) | .command, .args[]' "$course/.vscode/tasks.json" >"$work/words"
mapfile -t words <"$work/words"
"${words[@]}" >"$work/out" 2>"$work/log"
program=$(jq -r '.configurations[2].program' "$course/.vscode/launch.json") settings=$(jq -r '.configurations[2].settings' "$course/.vscode/launch.json")
check "whose task makes the program and its settings" '[ -x "${program/\$\{workspaceFolder\}/$course}" ] && [ -s "${settings/\$\{workspaceFolder\}/$course}" ]'
ask() { printf 'Content-Length: %d\r\n\r\n%s' "${#1}" "$1"; }
{
    ask '{"seq":1,"type":"request","command":"launch","arguments":{"program":"'"${program/\$\{workspaceFolder\}/$course}"'","settings":"'"${settings/\$\{workspaceFolder\}/$course}"'"}}'
    ask '{"seq":2,"type":"request","command":"configurationDone"}'
    for i in $(seq 300); do grep -q '"event":"stopped"' "$work/out" && break; sleep 0.1; done
} | timeout 300 "$build/bin/warpgrind" debug --dap >"$work/out" 2>"$work/log"
check "with which the adapter stops at the finding" 'grep -q "\"reason\":\"exception\".*\"text\":\"shared-race\"" "$work/out"'
echo '{"configurations": [], // mine' >"$course/.vscode/launch.json"
"$build/bin/warpschool" --root "$course" vscode >"$work/out" 2>"$work/log"
status=$?
check "a file that is no plain JSON is left alone, and that is said" '[ $status -eq 2 ] && grep -q "nothing is added to it" "$work/log" && grep -q mine "$course/.vscode/launch.json"'

# ---- the five mistakes of docs/five-mistakes.md, with each of the two tools alone ----

# plant LESSON CHANGE: the lesson's solution with a mistake, as planted.cu and in the picture page.html.
plant() {
    sed "$2" solutions/"$1"-*/solution.cu >"$work/planted.cu"
    ! cmp -s "$work/planted.cu" solutions/"$1"-*/solution.cu || verdict "a mistake is planted in $1" "the file has nothing to change"
    "$build/bin/warpschool" check "$1" "$work/planted.cu" --picture "$work/page.html" >"$work/out" 2>"$work/log"
}
drawn() { [ "$(sed -n '/id="data">/,/<\/script>/{//d;p}' "$work/page.html" | jq "$1")" = true ]; }
# answers COMMAND LINE: what stands below the command has that line.
answers() { awk -v command="(warpgrind) $1" -v line="$2" '$0 == command { on = 1; next } /^\(warpgrind\)/ { on = 0 } on && $0 == line { found = 1 } END { exit !found }' "$work/out"; }

plant 01 's/z\[i\] = x\[i\] + y\[i\]/z[i] = x[i] + y[n - 1 - i]/'
check "a wrong index, in the picture: thread 0 reads the last element" 'drawn ".answer.case == \"one less than a warp\" and .answer.wrong[0] == 0 and ([.steps[] | select(.[0] == \"r\")] | .[0][7][1:] == [0, 1] and .[1][7][1:] == [30, -1])"'
opens 01 "$work/planted.cu" <<<$'n\nn\np i\np n - 1 - i\nstart\nwatch z[7]\nc\nrs\np threadIdx.x + n - 1 - i\nq'
check "and in the debugger" 'answers "p i" 0 && answers "p n - 1 - i" 30'
check "or from the element that is wrong to the thread that wrote it" 'answers "watch z[7]" "Watchpoint 1: z[7] = nan" && answers "p threadIdx.x + n - 1 - i" 30 && grep -q "^thread (7,0,0) of block (0,0,0) in .* at 01-vector-add.cu" "$work/out"'

plant 07 's/d > 0; d \/= 2/d > 1; d \/= 2/'
check "a round too few, in the picture: the last one adds at distance 2" 'drawn ".variables as \$names | .answer.wrong == [0] and ([.steps[] | select(.[0] == \"r\")] | last | .[3] == 32) and ([.steps[] | .[8] | arrays | .[] | select(\$names[.[0]] == \"d\") | .[1] | numbers] | min == 2)"'
opens 07 "$work/planted.cu" <<<$'b 32\nc\np temp[0]\np temp[0] + temp[1]\nq'
check "and in the debugger: two numbers are left, whose sum is the answer" 'says "\`sum\` is 145 and should be 549" && answers "p temp[0]" 145 && answers "p temp[0] + temp[1]" 549'

plant 23 's/const int b_row = start + y;/const int b_row = y;/'
check "a stale tile, in the picture: in the second round the columns of A go on, the rows of B do not" 'drawn ".variables as \$names | [.steps[] | select(.[2] == 0) | if .[0] == \"d\" then .[6] else .[8] end | arrays | map({(\$names[.[0]]): .[1]}) | add // {} | select(.start == 16)][0] | .a_column == 16 and (has(\"b_row\") | not or .b_row == 0)"'
opens 23 "$work/planted.cu" <<<$'b 35 if start == 16\nc\np a_column - x\np b_row - y\nq'
check "and in the debugger" 'answers "p a_column - x" 16 && answers "p b_row - y" 0'

plant 24 's/__shared__ int temp/__shared__ signed char temp/'
check "an overflow, in the picture: -621 is read, and -109 is stored" 'drawn "[.steps[] | select(.[3] == 27 and (.[0] == \"r\" or .[0] == \"w\") and .[2] == 0)] | .[0][9][0] == -621 and .[1][9][0] == -109"'
opens 24 "$work/planted.cu" <<<$'n\nn\nn\np d_in[i]\np temp[tid]\nq'
check "and in the debugger" 'answers "p d_in[i]" -621 && answers "p temp[tid]" -109'

cp solutions/14-streams-and-events/solution.cu "$work/planted.cu"
"$build/bin/warpschool" check 14 "$work/planted.cu" --picture "$work/page.html" >"$work/out" 2>"$work/log"
check "where all is well, the picture is of a case in which streams overlap" 'drawn ".answer == null and ([.streams.work[] | select(.[0] == \"k\") | .[1]] | unique | length) == 4"'
plant 14 's/THREADS, 0, stream>>>/THREADS, 0, streams[0]>>>/'
check "a wrong stream, in the picture: a kernel reads what nobody has copied yet" 'drawn ".told[0].kind == \"missing-sync\" and ([.steps[] | select(.[0] == \"r\")][0] | .[9] == [\"?\"])"'
check "and whose copy it is, in its streams" 'drawn ".streams as {\$work, \$findings} | \$findings[0].work as \$two | [\$work[] | select(.[7] as \$n | \$two | index(\$n)) | .[0]] | sort == [\"h\", \"k\"]"'
opens 14 "$work/planted.cu" <<<$'q'
check "and in the debugger: both lines are named" 'says "missing-sync: the kernel root_kernel, launched at line 48, reads memory that the copy at line 46 in another stream writes"'
finish
