#!/bin/bash
# A suite that is green without its program proves nothing. Takes the programs under test away from each suite of tests/suites.txt,
# by a build folder in which they are missing, silent, or dead after a word, and demands that the suite fails. All count by
# suite.bash, where a FILTER that selects no case is a failure. Suites marked "-" test no program of the build folder: lint plants
# faults of its own, clang build makes what it tries, options, crashes and stopping try the programs that other suites take away, and this one
# asks; but that they count by suite.bash holds for all. Ends with "N passed, N failed".
chosen=${FILTER:-}
unset FILTER
. "$(dirname "$0")/suite.bash"
real=$build

impostor() { # folder, what its programs do ("" is no program at all)
    mkdir -p "$1/bin" "$1/asan"
    ln -s "$(realpath "$real")/lib" "$1/lib"
    mkdir -p "$1/site/lessons" "$1/site/docs" && echo '<html>' >"$1/site/index.html"
    [ -n "$2" ] || return
    local source name
    for name in bin/warpgrind bin/warpcc bin/warpschool $(for source in tests/*/test_*.c; do sed 's,\.c$,,' <<<"$source"; done); do
        mkdir -p "$1/$(dirname "$name")"
        printf '#!/bin/sh\n%s\n' "$2" >"$1/$name"
        chmod +x "$1/$name"
    done
    cp -r "$1/bin" "$1/asan/"
    [ ! -d "$1/tests" ] || cp -r "$1/tests" "$1/asan/"
}
impostor "$work/missing" ""
impostor "$work/silent" "exit 0"
impostor "$work/dead" "echo warpgrind; exit 3"

# fails BUILD CASE COMMAND: whether the suite says that something failed, and ends with a status that says so, too.
fails() {
    local output status
    output=$(BUILD=$1 FILTER=$2 FIRST_FAILURE=1 DEAR='' timeout 300 bash -c "$3" 2>&1 </dev/null)
    status=$?
    [ $status -ne 77 ] || return 0 # it cannot run here at all
    [ $status -ne 0 ] && [ $status -ne 124 ] && ! tail -n 1 <<<"$output" | grep -q ', 0 failed$' || tail -n 2 <<<"$output"
}

# ends_with_finish COMMAND: a suite that counts by itself may call no case a success.
ends_with_finish() {
    local script
    script=$(grep -o '[a-z/-]*tests/[a-z/-]*\.sh' <<<"$1")
    grep -qE '^\. .*/(suite|common)\.bash"$' "$script" && [ "$(tail -n 1 "$script")" = finish ] || echo "$script has a count of its own"
}

# Of the three ways a commit draws one for each suite, or two, or none.
rows() { grep -v '^[#=-]' tests/suites.txt | sed 's/ *| */|/g'; }
while IFS='|' read -r name _ _ command; do
    [[ $name == *"$chosen"* ]] || continue
    verdict "$name ends with the count of suite.bash" "$(ends_with_finish "$command")"
done < <(rows)
while IFS='|' read -r how name case _ command; do
    verdict "$name, its programs $how" "$(fails "$work/$how" "$case" "$command")"
done < <(rows | awk -F'|' -v OFS='|' -v chosen="$chosen" 'index($1, chosen) && $2 != "-" { print "missing", $0; print "silent", $0; print "dead", $0 }' |
    FILTER=$chosen drawn 3 "suites whose programs are taken away")

# What a commit draws of a thousand.
drawn_for() { # commit, WHOLE
    local commit=$1
    git() { echo "$commit"; }
    WHOLE=$2 drawn 2 numbers 2>/dev/null < <(seq 1000)
}
draws() {
    local one other both
    one=$(drawn_for one "" | wc -l) other=$(drawn_for other "" | wc -l)
    both=$(comm -12 <(drawn_for one "" | sort) <(drawn_for other "" | sort) | wc -l)
    [[ $one -gt 400 && $one -lt 600 && $other -gt 400 && $other -lt 600 && $both -gt 150 && $both -lt 350 ]] || echo "$one and $other of 1,000, $both of them in both"
    [ "$(git() { echo changed.cu; }; echo "right changed.cu" | WHOLE='' drawn 1000 "changed files" 2>/dev/null)" ] || echo "not what changes"
    [ "$(git() { [[ $* == *before* ]] && echo old.cu; }; SINCE=before WHOLE='' drawn 1000 "changed files" <<<"right old.cu" 2>/dev/null)" ] || echo "not what changed since then"
    [ "$(drawn_for one 1 | wc -l)" -eq 1000 ] || echo "not all, where all are asked for"
}
verdict "a draw takes a half, others with another commit" "$(draws)"
# says_of_suites PATTERN [SETTING...]: nothing where all that this table's suites say, on one line, is like the pattern.
says_of_suites() {
    local said
    said=$(cd "$work/draws" && env -u WHOLE -u SINCE SUITE='' TIMES='' "${@:2}" bash "$suite_folder/run.sh" 2>&1 | tr '\n' ' ')
    [[ $said =~ $1 ]] || echo "not like \"$1\": $said"
}
# A table of eight suites that one file wakes, and one that always runs.
draws_suites() {
    mkdir -p "$work/draws/tests"
    (cd "$work/draws" && { echo "always | - | - | echo 1 passed, 0 failed" && seq -f 'suite %g | - | one.txt | echo 1 passed, 0 failed' 8; } >tests/suites.txt &&
        git init -q && export GIT_AUTHOR_DATE='1 Jan 2026 00:00 +0000' GIT_COMMITTER_DATE='1 Jan 2026 00:00 +0000' &&
        for file in one.txt other.txt; do touch $file && git add . && git -c user.name=a -c user.email=a@b.example commit -qm $file; done)
    says_of_suites '^always .*DRAWN all suites but suite [0-9]+, .* [1-6] passed, 0 failed $'
    says_of_suites '^suite 7 +1 passed [^D]* 1 passed, 0 failed $' SUITE="suite 7"
    echo changed >"$work/draws/one.txt"
    says_of_suites '^[^D]* 9 passed, 0 failed $'
}
verdict "one suite in six is drawn, with those that a change wakes" "$(draws_suites)"
verdict "what wakes a suite is there" "$(rows | awk -F'|' '$3 != "-" { print $3 }' | tr ' ' '\n' | while read -r path; do [ -e "$path" ] || echo "no $path"; done)"
# A table of one suite, which sleeps.
hangs() {
    mkdir -p "$work/hangs/tests" && echo 'hangs | - | - | sleep 100' >"$work/hangs/tests/suites.txt"
    WHOLE='' SUITE_SECONDS=1 SUITE='' FILTER='' timeout 60 bash "$suite_folder/run.sh" "$work/hangs/tests/suites.txt" >"$work/hangs/said" 2>&1
    [ $? -eq 1 ] && grep -q '^FAILED: it took more than 1 s' "$work/hangs/said" && [ "$(tail -n 1 "$work/hangs/said")" = "0 passed, 1 failed" ] || echo "it says: $(head -n 5 "$work/hangs/said")"
}
verdict "a suite that hangs ends, and is told" "$(hangs)"
# A suite of a failing and a passing case, and a unit test of which one of two tests fails; the table's suites say all that is to be known.
tells() {
    local said
    mkdir -p "$work/tells/tests/a" "$work/tells/build/tests/a"
    cat >"$work/tells/tests/one.sh" <<EOF
. $suite_folder/suite.bash
verdict good ""
verdict poor "first
second"
finish
EOF
    touch "$work/tells/tests/a/test_b.c"
    cat >"$work/tells/build/tests/a/test_b" <<'EOF'
#!/bin/sh
printf '[==========] Running 2 test(s).\n[ RUN      ] fine\nquiet\n[       OK ] fine\n[ RUN      ] broken\n3 is not 4\n[  FAILED  ] broken\n'
printf '[==========] 2 test(s) run.\n[  PASSED  ] 1 test(s).\n[  FAILED  ] 1 test(s), listed below:\n[  FAILED  ] broken\n'
exit 1
EOF
    chmod +x "$work/tells/build/tests/a/test_b"
    printf 'one | - | - | bash tests/one.sh\nunit | - | - | TREE=. bash %s/unit.sh\n' "$suite_folder" >"$work/tells/tests/suites.txt"
    said=$(cd "$work/tells" && BUILD=build SUITE='' TIMES='' FILTER='' bash "$suite_folder/run.sh" 2>&1)
    grep -q '^    second$' <<<"$said" && grep -q '^    3 is not 4$' <<<"$said" && ! grep -q quiet <<<"$said" &&
        [ "$(grep -c broken <<<"$said")" -eq 2 ] && [ "$(tail -n 1 <<<"$said")" = "2 passed, 2 failed" ] || echo "it says: $said"
}
verdict "a failure is told with what is to be known of it" "$(tells)"
verdict "a suite in which no case was selected" "$(fails "$real" "no such case" "TREE=. bash $(dirname "$suite_script")/unit.sh")"
finish
