#!/bin/bash
# The adapters of grading/adapters, each run as its system runs it: Gradescope's zip set up and started in a namespace that has
# /autograder, CI in a git checkout, Classroom 50 in the runner's environment, PrairieLearn's /grade, Autolab's make. What they write is read
# by the schemas of exports_check.py. Needs bubblewrap, zip, git and python3-jsonschema. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/cli/common.bash"
unset MAKEFLAGS MAKELEVEL MFLAGS GITHUB_ACTIONS GITHUB_STEP_SUMMARY
export -n BUILD
adapters=$PWD/grading/adapters
right=solutions/07-block-sum-dynamic/solution.cu wrong=solutions/07-block-sum-dynamic/mutants/missing-barrier.cu
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

# The adapters look for the program in the tree that they are in: a copy of it, with the build folder that is tested.
tree=$work/tree
mkdir -p "$tree/build"
cp -r grading lessons "$tree"
for part in bin lib include lessons; do ln -s "$build/$part" "$tree/build/$part"; done
# ... which finds itself by its own path, so it is no link
rm "$tree/build/bin" && cp -r "$build/bin" "$tree/build/bin"

schema() { # name of a schema, file
    python3 -c '
import json, sys
import jsonschema
errors = list(jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).iter_errors(json.load(open(sys.argv[2]))))
sys.exit(errors[0].message[:200] if errors else 0)' "tests/cli/exports/$1.schema.json" "$2"
}

# --- grade.sh: which file is judged, and what stands for one that is not there
hand_in() { # folder: empty, but for the files given as NAME=FILE
    rm -rf "$work/$1" && mkdir -p "$work/$1/work"
    local folder=$work/$1 pair
    shift
    for pair; do cp "${pair#*=}" "$folder/${pair%%=*}"; done
}
grade() { # folder, lessons; leaves $status, out, log and $work/results
    rm -rf "$work/results"
    sh "$tree/grading/adapters/grade.sh" "$work/$1" "$work/results" "${@:2}" >"$work/out" 2>"$work/log"
    status=$?
}
hand_in plain 07-block-sum-dynamic.cu=$right
grade plain 07
check "grade: a right file" "[ $status -eq 0 ] && json_says '.verdict == \"pass\" and any(.cases[]; .hidden)' $work/results/07-block-sum-dynamic.json"
hand_in nested work/07-block-sum-dynamic.cu=$wrong
grade nested 07-block
check "grade: a wrong file in work/, by a name as the student knows it" "[ $status -eq 1 ] && json_says '.verdict == \"fail\" and .findings[0].file == \"work/07-block-sum-dynamic.cu\"' $work/results/*.json"
hand_in nothing
grade nothing 07
check "grade: no file is no error, and no point" "[ $status -eq 1 ] && json_says '.score == 0 and .max_score > 0 and (.findings[0].message | test(\"there is no file 07-block-sum-dynamic.cu\"))' $work/results/*.json"
ln -s /etc/passwd "$work/nothing/07-block-sum-dynamic.cu"
grade nothing 07
check "grade: a link is not followed" "[ $status -eq 1 ] && json_says '.findings[0].message | test(\"no ordinary file\")' $work/results/*.json"
grade plain 77
check "grade: an unknown lesson" "[ $status -eq 2 ] && grep -q 'no lesson 77' $work/log"
check "packages: what judging needs, not what tests need" "[ \"\$(sh $adapters/packages.sh | grep -cxE 'clang|bubblewrap|libarchive-dev|gcc|chromium|pandoc|jq|libcmocka-dev')\" = 4 ]"

# --- Gradescope: the zip as it is uploaded, set up and run in /autograder
# The rest of the system is as it is here. Root needs a mount namespace for it, others a user namespace as well.
private=(unshare --mount)
[ "$(id -u)" -eq 0 ] || private+=(--user --map-root-user)
cat >"$work/inside.sh" <<'SCRIPT'
set -eu
root=$1 auto=$2 hidden=$3
shift 3
mount -t tmpfs tmpfs "$root"
for entry in /*; do
    if [ -L "$entry" ]; then
        cp -P "$entry" "$root$entry"
    elif [ -d "$entry" ] && [ "$entry" != /autograder ]; then
        mkdir "$root$entry" && mount --rbind "$entry" "$root$entry"
    fi
done
mkdir "$root/autograder"
mount --bind "$auto" "$root/autograder"
[ -z "$hidden" ] || mount --bind /dev/null "$root$hidden"
# No chroot, in which no namespace of users could be made.
mkdir "$root/before"
cd "$root"
pivot_root . before
cd /autograder
umount -l /before
exec "$@"
SCRIPT
mkdir "$work/root"
if ! "${private[@]}" mount -t tmpfs tmpfs "$work/root" 2>/dev/null; then
    echo "SKIPPED: Gradescope's zip, since this system allows no namespaces"
else
    make --no-print-directory gradescope LESSONS="07 01" OUT="$work/gradescope.zip" >"$work/out" 2>"$work/log"
    check "gradescope: make gradescope" "[ -s $work/gradescope.zip ] && grep -q 'upload it' $work/out"
    auto=$work/autograder
    mkdir -p "$auto/submission" "$auto/warpschool/build" "$auto/stubs"
    python3 -m zipfile -e "$work/gradescope.zip" "$auto/source"
    cp "$auto/source/run_autograder" "$auto" && chmod +x "$auto/run_autograder"
    check "gradescope: both programs at the zip's root" "[ -s $auto/source/setup.sh ] && [ -s $auto/source/run_autograder ]"
    tar -tzf "$auto/source/warpschool.tar.gz" >"$work/packed"
    check "gradescope: hidden cases, and no solutions" "grep -q '07-block-sum-dynamic/hidden.def' $work/packed && ! grep -qE '^(solutions|tests/[a-z]*/.*[.](cu|sh|c)$)' $work/packed"
    mkdir "$work/bare" && tar -xzf "$auto/source/warpschool.tar.gz" -C "$work/bare"
    check "gradescope: make finds all that it needs" "make -n -C $work/bare all >$work/out 2>$work/log"
    # No packages are installed here: what would be is written down. Nor is all compiled again: the objects are there already.
    printf '#!/bin/sh\necho "$*" >>/autograder/apt\n' >"$auto/stubs/apt-get" && chmod +x "$auto/stubs/apt-get"
    cp -a --reflink=auto "$build"/{bin,lib,include,headers,lessons,gen,obj} "$auto/warpschool/build"
    inside() { # a program to take away, or ""; command: in a system that is this one with an /autograder
        timeout 300 "${private[@]}" sh "$work/inside.sh" "$work/root" "$auto" "$1" env PATH="/autograder/stubs:$PATH" "${@:2}" \
            >"$work/out" 2>"$work/log" </dev/null
        status=$?
    }
    inside "" bash source/setup.sh
    check "gradescope: setup.sh" "[ $status -eq 0 ] && grep -q 'install.* clang .*bubblewrap' $auto/apt"
    cp $wrong "$auto/submission/07-block-sum-dynamic.cu"
    inside "" ./run_autograder
    check "gradescope: results.json" "[ $status -eq 0 ] && schema gradescope $auto/results/results.json"
    check "gradescope: the cases of both lessons, hidden ones by their concept" \
        "json_says '(.tests | map(select(.tags == [\"hidden\"])) | length) >= 2 and any(.tests[]; .name | startswith(\"01-vector-add: \")) and all(.tests[]; .visibility == \"visible\")' $auto/results/results.json"
    check "gradescope: what is missing is said" "grep -q 'there is no file 01-vector-add.cu' $auto/results/results.json"
    check "gradescope: nothing of the student's in the staff's output" "! grep -q 'shared-race' $work/out $work/log"
    cp $right "$auto/submission/07-block-sum-dynamic.cu"
    cp solutions/01-vector-add/solution.cu "$auto/submission/01-vector-add.cu"
    inside "" ./run_autograder
    check "gradescope: all points" "json_says '.score > 0 and .score == ([.tests[].max_score] | add)' $auto/results/results.json"
    inside "$(realpath "$(command -v bwrap)")" ./run_autograder
    check "gradescope: no sandbox, no results, no zero" "[ $status -ne 0 ] && [ ! -e $auto/results/results.json ] && grep -q 'nobody gets a zero' $work/log"
fi

# --- CI: a checkout, with and without GitHub's environment
git init -q "$work/checkout"
cp $wrong "$work/checkout/07-block-sum-dynamic.cu"
in_checkout() { # variables and command; leaves $status, out, log
    (cd "$work/checkout" && env "$@" >"$work/out" 2>"$work/log" </dev/null)
    status=$?
}
in_checkout REPORTS="$work/reports" sh "$tree/grading/adapters/ci.sh" 07
check "ci: reports, and a status that says not yet" "[ $status -eq 1 ] && xmllint --noout --schema tests/cli/exports/junit.xsd $work/reports/report.xml 2>>$work/log && schema sarif $work/reports/findings.sarif && grep -q 'shared-race' $work/reports/feedback.txt"
check "ci: no commands for GitHub elsewhere" "! grep -q '^::' $work/out"
in_checkout REPORTS="$work/reports" GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$work/summary" sh "$tree/grading/adapters/ci.sh" 07
check "ci: annotations at lines of the checkout" "grep -q '^::error file=07-block-sum-dynamic.cu,line=25,' $work/out"
check "ci: the feedback cannot give commands" "[ \"\$(grep -c '^::stop-commands::' $work/out)\" = 1 ] && [ \"::\$(sed -n 's/^::stop-commands:://p' $work/out)::\" = \"\$(tail -n 1 $work/out)\" ]"
check "ci: the step's summary" "grep -q '^| no mistakes found | not yet' $work/summary"
cp $right "$work/checkout/07-block-sum-dynamic.cu"
in_checkout REPORTS="$work/reports" sh "$tree/grading/adapters/ci.sh" 07
check "ci: passed" "[ $status -eq 0 ]"
for file in github/grade.yml gitlab/grade.gitlab-ci.yml; do
    check "ci: $file is YAML and calls what there is" "python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' $adapters/$file 2>$work/log && grep -q 'grading/adapters/ci.sh \$LESSONS' $adapters/$file"
done

# --- Classroom 50: the runner's variables, in the student's checkout
mkdir "$work/bundle"
cp "$adapters/classroom50/autograder.py" "$work/bundle" && echo 07 >"$work/bundle/lessons"
cp $wrong "$work/checkout/07-block-sum-dynamic.cu"
ln -s /etc/hostname "$work/checkout/result.json"
(cd "$work/checkout" && git add 07-block-sum-dynamic.cu && GIT_COMMITTER_DATE='2026-03-01T12:00:00+0200' git -c user.name=a -c user.email=a@example.org commit -qm x)
in_checkout CLASSROOM=gpu ASSIGNMENT=sums OWNER=ann SUBMISSION_TAG=submit/1 CLASSROOM50_BUNDLE_DIR="$work/bundle" WARPSCHOOL_TREE="$tree" \
    python3 "$work/bundle/autograder.py"
check "classroom50: it ran, whatever the points" "[ $status -eq 0 ] && schema classroom50 $work/checkout/result.json"
check "classroom50: stamps" "json_says '.classroom == \"gpu\" and .assignment == \"sums\" and .owner == \"ann\" and .submission == \"submit/1\" and .datetime == \"2026-03-01T10:00:00Z\"' $work/checkout/result.json"
check "classroom50: a link of the student's is not written through" "[ ! -L $work/checkout/result.json ] && [ -s /etc/hostname ]"
check "classroom50: report and picture" "grep -q 'shared-race' $work/checkout/report.txt && grep -q '<html' $work/checkout/07-block-sum-dynamic.html && grep -q 'no mistakes found' $work/checkout/release-body.md"

# --- PrairieLearn and Autolab
hand_in grade/student 07-block-sum-dynamic.cu=$right
GRADE=$work/grade LESSONS=07 sh "$tree/grading/adapters/prairielearn/grade.sh" >"$work/out" 2>"$work/log"
check "prairielearn: /grade/results/results.json" "schema prairielearn $work/grade/results/results.json && json_says '.score == 1' $work/grade/results/results.json"
hand_in autolab 07-block-sum-dynamic.cu=$wrong
make --no-print-directory -C "$work/autolab" -f "$adapters/autolab/autograde-Makefile" TREE="$tree" >"$work/out" 2>"$work/log"
check "autolab: the last line" "tail -n 1 $work/out | json_says '.scores[\"07-block-sum-dynamic\"] > 0' && jq -s . $work/out >$work/lines && schema autolab $work/lines"

# --- the image: what it copies is there, and the editors' stage is the one that they name
check "image: it copies what there is" "[ -z \"\$(sed -n 's/^COPY \\([^ ]*\\) .*/\\1/p' .devcontainer/Dockerfile | grep -v ^build/ | while read -r path; do [ -e \$path ] || echo \$path; done)\" ]"
check "image: the editors' stage" "grep -q ' AS tools\$' .devcontainer/Dockerfile && json_says '.build.target == \"tools\"' .devcontainer/devcontainer.json"

finish
