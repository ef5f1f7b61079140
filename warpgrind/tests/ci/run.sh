#!/bin/bash
# warpgrind ci: one status, report and set of files for all CUDA processes of a command; and the ready pieces of ci/, each as far as a machine
# without its service can run it: the action's steps from its own yaml, the GitLab job's script, CMake and pytest for real.
. "$(dirname "$0")/../suite.bash"
export PATH=$build/bin:$PATH TMPDIR=$work
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
tests=$PWD/tests/ci pieces=$PWD/ci
mkdir "$work/project" && cd "$work/project" || exit 3
cp "$tests"/*.cu . && warpcc -o clean clean.cu && warpcc -o racy racy.cu || exit 3

# ci OPTIONS... -- COMMAND...: leaves status and what was said.
ci() {
    said=$(warpgrind ci "$@" 2>&1)
    status=$?
}
# so NAME STATUS PATTERN...: that status, and each pattern is in what was said.
so() {
    local name=$1 problem=
    [ "$status" -eq "$2" ] || problem="status $status: $said; "
    shift 2
    for word; do grep -qE -- "$word" <<<"$said" || problem+="not said: $word; "; done
    verdict "$name" "$problem"
}

# ---- one status for all ----
ci -- ./clean
so "a clean program" 0 'ci: passed'
ci -q --report r.json -- sh -c './racy; ./clean; ./racy; true'
so "one of several processes has a race, and the command is fine" 1 'new errors: 1' 'ci: failed'
json_says '(.processes | length) == 3 and .launches_total == 3 and (.findings | length) == 1 and .findings[0].kind == "global-race" and .findings[0].file == "racy.cu"' r.json
holds "one report of all, its files named from here" $?
ci -q --fail-on never -- ./racy
so "findings that do not fail" 0 'new errors: 1'
ci -q -- ./clean 5
so "the command's own failure" 5 'ended with status 5'
ci -q -- sh -c './racy; exit 8'
so "the command's own failure, with a finding" 8 'new errors: 1' 'status 8'
ci -q -- sh -c './clean; kill -TERM $$'
so "a command that a signal ended" 143 'status 143'
ci -q -- true
so "no kernel ran" 1 'no kernel ran'
echo 'global-race last' >left-out.txt
ci -q --suppress left-out.txt -- ./racy
so "suppressed" 0 'new errors: 0'
ci -q -- sh -c 'for i in $(seq 270); do ./clean || exit 1; done'
so "more processes than have a device each at once" 0 passed

# ---- what was not checked ----
cat >driver.c <<'C'
int cuInit(unsigned flags);
int main(void) { return cuInit(0) == 0; }
C
cat >opens.c <<'C'
#include <dlfcn.h>
int main(void) { return dlopen("libcuda.so.1", RTLD_NOW) == 0; }
C
gcc -o driver driver.c -L"$build/lib/ci" -l:libcuda.so.1 && gcc -o opens opens.c -ldl || exit 3
ci -q -- sh -c './clean; ./driver; true'
so "a process of the driver's API" 1 'not checked: .*/driver: it uses the driver API'
ci -q --fail-on never -- sh -c './clean; ./opens; ./opens; true'
so "a process with the runtime inside" 1 'not checked: .*/opens: .*-cudart shared.*CMAKE_CUDA_RUNTIME_LIBRARY Shared'
[ "$(grep -c 'not checked' <<<"$said")" -eq 1 ]
holds "is named once" $?
if command -v nvcc >/dev/null && nvcc -arch=sm_80 -o static clean.cu 2>/dev/null; then
    ci -q -- sh -c './clean; ./static; true'
    so "a process that nvcc has linked statically" 1 'not checked: .*/static:'
fi

# ---- the baseline ----
ci -q --write-baseline known.txt -- ./racy
so "a baseline is written by a run that fails" 1 failed
ci -q --baseline known.txt -- sh -c './clean && ./racy'
so "what is known does not fail" 0 'new errors: 0, new notes: 0, known: 1'
sed -i '2i // a line above' racy.cu && warpcc -o racy racy.cu
ci -q --baseline known.txt -- ./racy
so "nor where its line has moved" 0 'known: 1'
sed -i 's/\*out = (int)threadIdx.x;/*out = 1 + (int)threadIdx.x;/' racy.cu && warpcc -o racy racy.cu
ci -q --baseline known.txt -- ./racy
so "another line is new" 1 'new errors: 1, new notes: 0, known: 0'
# A race has two lines; with another one of either it is another race.
cat >pair.cu <<'C'
#include <cuda_runtime.h>
__global__ void pair(int *out) {
    if (threadIdx.x < 32)
        *out = 1;
    else
        *out = 2;
}
int main() {
    int *d;
    cudaMalloc(&d, 4);
    pair<<<1, 64>>>(d);
    cudaFree(d);
}
C
warpcc -o pair pair.cu && ci -q --write-baseline pair.txt -- ./pair
ci -q --baseline pair.txt -- ./pair
so "a race of two lines is known" 0 'new errors: 0,'
for line in '*out = 1' '*out = 2'; do
    sed "s/$line/$line + 2/" pair.cu >changed.cu && sed -i 's/pair.cu/changed.cu/' pair.txt && warpcc -o changed changed.cu
    ci -q --baseline pair.txt -- ./changed
    so "with another line $line it is new" 1 'new errors: 1,'
done
ci -q --baseline absent.txt -- touch ran
so "a baseline that is not there" 2 '^absent.txt: error: cannot read the baseline: ' 'write-baseline'
[ ! -e ran ]
holds "is said before the command runs" $?
echo nonsense >bad.txt
ci -q --baseline bad.txt -- ./clean
so "a baseline that is none" 2 'bad.txt:1'
ci
so "no command" 2 'which command'
ci --fail-on warning -- ./clean
so "no such severity" 2 fail-on

# ---- files ----
ci -q --write-baseline known.txt -- ./racy
cat >hostile.cu <<'C'
#include <cuda_runtime.h>
#line 3 "<&\"'%|`:,\n.cu"
__global__ void both(int *out) { *out = (int)threadIdx.x; }
int main() {
    int *d;
    cudaMalloc(&d, 4);
    both<<<1, 64>>>(d);
    cudaFree(d);
}
C
warpcc -o hostile hostile.cu 2>/dev/null || exit 3
: >summary.md
said=$(GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=$PWD/summary.md warpgrind ci -q --baseline known.txt --junit j.xml --sarif s.json -- sh -c './racy; ./hostile; true' 2>/dev/null)
grep -qE '^::error file=.*,line=3,title=global-race::' <<<"$said" && [ "$(grep -vc '^::' <<<"$said")" -eq 0 ]
holds "annotations: in a GitHub job, each on one line" $?
! grep -q 'racy.cu' <<<"$said"
holds "annotations: not of what is known" $?
grep -q '^### warpgrind: failed' summary.md && grep -qE '^\| \*\*error\*\* \| global-race ' summary.md && ! grep -q '^| \*\*error.*racy.cu' summary.md
holds "the job's summary" $?
command -v xmllint >/dev/null && xmllint --noout j.xml
holds "JUnit: is XML" $?
[ "$(xmllint --xpath 'string(/testsuites/testsuite/@failures)' j.xml)" -eq "$(xmllint --xpath 'count(//failure)' j.xml)" ] &&
    [ "$(xmllint --xpath 'string(/testsuites/testsuite/@tests)' j.xml)" -eq "$(xmllint --xpath 'count(//testcase)' j.xml)" ] &&
    [ "$(xmllint --xpath 'count(//skipped)' j.xml)" -eq 1 ]
holds "JUnit: counts, and what is known is skipped" $?
json_says '[.runs[0].results[].baselineState] | sort | (index("new") != null and index("unchanged") != null)' s.json
holds "SARIF: what is new" $?
said=$(warpgrind ci -q --report /dev/stdout -- ./racy 2>/dev/null | cat)
json_says '.findings | length == 1' /dev/stdin <<<"$said" && [ -L /dev/stdout ]
holds "the report into a pipe" $?
ci -q --junit /nowhere/j.xml -- ./clean
so "a file that cannot be written" 2 /nowhere/j.xml

# ---- the ready pieces ----
python3 "$tests/steps.py" "$pieces/action.yml" command='./clean && ./racy' sarif=action.sarif >action.log 2>&1
status=$? said=$(cat action.log)
so "the action: fails on what is new" 1 '^::error file=racy.cu'
[ -s action.sarif ] && [ -s warpgrind.xml ]
holds "the action: its files" $?
python3 "$tests/steps.py" "$pieces/action.yml" command='./clean && ./racy' baseline=known.txt options='--devices 2' >action.log 2>&1
status=$? said=$(cat action.log)
so "the action: with a baseline" 0 'ci: passed'

python3 - "$pieces/gitlab.yml" >job.sh <<'PY'
import sys, yaml
job = yaml.safe_load(open(sys.argv[1]))[".warpgrind"]
print("set -e")
for name, value in dict(job["variables"], WARPGRIND_COMMAND="./clean && ./racy").items():
    print("%s='%s'" % (name, value))
print("\n".join(job["before_script"] + job["script"]))
PY
said=$(sh job.sh 2>&1)
status=$?
so "the GitLab job" 1 'new errors: 1'

if selected "CMake"; then
    mkdir cmake && cp clean.cu racy.cu cmake/
    cat >cmake/CMakeLists.txt <<CM
cmake_minimum_required(VERSION 3.18)
project(tests NONE)
enable_testing()
list(APPEND CMAKE_MODULE_PATH "$pieces/cmake")
include(Warpgrind)
warpgrind_add_executable(fine clean.cu)
warpgrind_add_executable(racy racy.cu OPTIONS -O2)
warpgrind_add_test(NAME fine COMMAND fine 0)
warpgrind_add_test(NAME racy COMMAND racy JUNIT racy.xml)
warpgrind_add_test(NAME known COMMAND racy BASELINE known.txt)
CM
    (cd cmake && cmake -B out . && cmake --build out) >cmake.log 2>&1
    holds "CMake: builds" $?
    (cd cmake && warpgrind ci -q --write-baseline known.txt -- out/racy) >/dev/null 2>&1
    said=$(cd cmake/out && ctest 2>&1)
    status=$?
    so "CMake: ctest" 8 'fine .*Passed' 'racy .*Failed' 'known .*Passed'
    [ -s cmake/out/racy.xml ]
    holds "CMake: a test's file" $?
    ci -q -- sh -c 'cd cmake/out && ctest -R fine'
    so "ctest under warpgrind ci" 0 passed
fi

if selected "CUDA as CMake's language"; then
    (cmake --toolchain "$pieces/cmake/warpcc-toolchain.cmake" -S "$tests/cmake" -B cuda && cmake --build cuda) >cmake.log 2>&1
    verdict "CUDA as CMake's language: builds" "$([ $? -eq 0 ] || tail -n 20 cmake.log)"
    ci -q --report r.json -- ctest --test-dir cuda
    so "CUDA as CMake's language: runs" 0 '100% tests passed, 0 tests failed out of 6' passed
    json_says '.launches_total == 6' r.json
    holds "CUDA as CMake's language: every kernel on our device" $?
    grep -rq --include='clean.cu.o.d' 'tests/ci/clean.cu' cuda/CMakeFiles/fine.dir
    holds "CUDA as CMake's language: what an object depends on" $?
    [ "$(cmake --build cuda | grep -c 'Building CUDA')" -eq 0 ]
    holds "CUDA as CMake's language: nothing is built twice" $?
    # Without that file: the compiler, and where its toolkit is. It is asked for the usual architecture.
    (cmake -DCMAKE_CUDA_COMPILER="$build/bin/warpcc" -DCUDAToolkit_ROOT="$build/toolkit" -S "$tests/cmake" -B direct &&
        cmake --build direct --target whole mixed with_static) >cmake.log 2>&1
    verdict "CUDA as CMake's language: by the compiler alone" "$([ $? -eq 0 ] || tail -n 20 cmake.log)"
    ci -q -- ctest --test-dir direct -R '^(whole|mixed|with_static)$'
    so "CUDA as CMake's language: by the compiler alone, runs" 0 '100% tests passed, 0 tests failed out of 3' passed
fi
cp clean.cu clean.kernel && warpcc -c -x cu -o kernel.o clean.kernel && warpcc -x cu -o kernel kernel.o && ci -q -- ./kernel
so "-x cu: a file of another ending is a source, an object is none" 0 passed
warpcc -c -MMD -MP -o clean.o clean.cu && grep -qE '^clean.o:.* clean\.cu' clean.d
holds "warpcc -MMD names the object" $?

if selected "pytest" && python3 -c 'import pytest' 2>/dev/null || [ -x /usr/bin/pytest-3 ]; then
    python=python3
    python3 -c 'import pytest' 2>/dev/null || python=/usr/bin/python3
    cat >test_cuda.py <<'PY'
import subprocess

def test_clean(warpgrind):
    assert warpgrind(["./clean"]).report["launches_total"] == 1

def test_racy(warpgrind):
    warpgrind(["./racy"])

def test_unaware():
    assert subprocess.run(["./racy"]).returncode == 0
PY
    said=$(PYTHONPATH=$pieces/pytest $python -m pytest -p no:cacheprovider -p pytest_warpgrind test_cuda.py -k 'clean or racy' 2>&1)
    status=$?
    so "pytest: the fixture" 1 '1 failed, 1 passed' 'error: global-race' 'racy.cu:'
    said=$(PYTHONPATH=$pieces/pytest $python -m pytest -p no:cacheprovider -p pytest_warpgrind --warpgrind-baseline known.txt test_cuda.py -k 'clean or racy' 2>&1)
    status=$?
    so "pytest: with a baseline" 0 '2 passed'
    ci -q -- $python -m pytest -p no:cacheprovider -k unaware test_cuda.py
    so "pytest under warpgrind ci" 1 '1 passed' 'new errors: 1'
fi
finish
