#!/bin/bash
# A learner's kernel in the debugger, in a copy of the course: make debug opens it at what is wrong. BUILD names the build folder. Ends with
# "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export NO_COLOR=1 LC_ALL=C.UTF-8 COLUMNS=80
course=$work/course
mkdir -p "$course/lessons" "$course/work" && cp -r starter "$course/" && cp lessons/groups.txt "$course/lessons/"
for lesson in 01-vector-add 07-block-sum-dynamic 18-multi-gpu; do cp -r lessons/$lesson "$course/lessons/"; done
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
    json_says "[.configurations[].name] == [\"mine\", \"01-vector-add\", \"07-block-sum-dynamic\"]" "$course/.vscode/launch.json"'
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
} | timeout 60 "$build/bin/warpgrind" debug --dap >"$work/out" 2>"$work/log"
check "with which the adapter stops at the finding" 'grep -q "\"reason\":\"exception\".*\"text\":\"shared-race\"" "$work/out"'
echo '{"configurations": [], // mine' >"$course/.vscode/launch.json"
"$build/bin/warpschool" --root "$course" vscode >"$work/out" 2>"$work/log"
status=$?
check "a file that is no plain JSON is left alone, and that is said" '[ $status -eq 2 ] && grep -q "nothing is added to it" "$work/log" && grep -q mine "$course/.vscode/launch.json"'
finish
