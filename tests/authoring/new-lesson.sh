#!/bin/bash
# A new lesson (make new-lesson), in a copy of the tree: of each shape it builds and passes its author's checks at once, which say what to do next; what is
# mistaken in a name, a manifest or a judge is said with file, line and remedy, while the other lessons still work. Packed (make lesson-pack) it comes
# into a course again (make lesson-add), and nothing else does.
# BUILD names the build folder, whose objects the copy takes over. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export LC_ALL=C.UTF-8 NO_COLOR=1
. tests/authoring/copies.bash
filter=${FILTER:-}
unset FILTER
selected() { [[ $1 == *"$filter"* ]]; }
tree=$work/tree
mkdir "$tree"
git ls-files -co --exclude-standard -z | xargs -0 cp -p --parents -t "$tree" 2>/dev/null
take_build "$tree"
# Which of the other shapes are checked, and what else judges a whole lesson once more: by the commit, and by what it changes, which the copy does not know.
further=$(for shape in 91-flow:field 92-call:library; do echo "${shape%:*}" $(find authoring/new-lesson/"${shape#*:}" -type f); done | drawn 3 "further shapes of a lesson" | cut -d' ' -f1)
once_more=$(printf '%s\n' "spoilt authoring/lesson-pack.sh" "again authoring/lesson-pack.sh authoring/lesson-add.sh" | drawn 3 "times that a lesson is packed" | cut -d' ' -f1)
cd "$tree" || exit 3

refused() { # NAME, words of the message
    local before output status
    before=$(ls lessons solutions starter)
    output=$(make -s new-lesson NAME="$1" 2>&1)
    status=$?
    verdict "refused: '$1'" "$([ $status -ne 0 ] && grep -qF -- "$2" <<<"$output" && [ "$before" = "$(ls lessons solutions starter)" ] || echo "exit status $status: $output")"
}
refused "" "the name is missing"
refused "Halo" "cannot be the name of a lesson"
refused "halo_exchange" "cannot be the name of a lesson"
refused "-halo" "cannot be the name of a lesson"
refused "halo--exchange" "cannot be the name of a lesson"
refused "../halo" "cannot be the name of a lesson"
refused "01-halo" "lessons/01-vector-add is there already"
refused "scan" "lessons/24-scan is there already"
refused "00-halo" "begin with 01"
refused "a-name-that-no-line-of-a-list-has-room-for" "longer than 30 characters"

next=$(($(ls lessons | grep -oE "^[0-9]{2}-" | sort | tail -n 1 | grep -oE "[1-9][0-9]?|0$") + 1))
lesson=$next-halo-exchange
output=$(make -s new-lesson NAME=halo-exchange 2>&1)
holds "it takes the next number, and says what comes next: $output" "$([ -d "lessons/$lesson" ] && grep -q "make check-lesson LESSON=$lesson" <<<"$output"; echo $?)"
output=$(make -s new-lesson NAME=90-int SHAPE=reduction AUTHOR="Ada Example" 2>&1)
holds "or the one that is given; a word of C++ will do: $output" "$([ -d lessons/90-int ] && ls -d lessons/90-int >/dev/null; echo $?)"
holds "there are four shapes: $(make -s new-lesson NAME=x SHAPE=cube 2>&1)" "$(make -s new-lesson NAME=x SHAPE=cube 2>&1 </dev/null | grep -q 'no shape `cube`'; echo $?)"
make -s new-lesson NAME=91-flow SHAPE=field >/dev/null && make -s new-lesson NAME=92-call SHAPE=library >/dev/null
output=$(make -s all 2>&1)
holds "all build at once: ${output: -500}" $?
verdict "headers are precompiled for the folder they are in" "$(grep -laF "$build/" build/include/precompiled/*.pch; ls build/include/precompiled/*.pch 2>&1 >/dev/null)"
verdict "all are listed" "$(build/bin/warpschool list 2>&1 | grep -cE "^[> ]+ ($lesson|90-int|91-flow|92-call) " | grep -vx 4)"
holds "its table has them" "$(grep -q "^| $next | halo-exchange |" README.md && grep -q "^In the making *| $next 90 91 92\$" lessons/groups.txt; echo $?)"
holds "their judges have the house's layout" "$(clang-format --dry-run -Werror lessons/{"$lesson",9[012]-*}/judge.c >/dev/null 2>&1; echo $?)"
verdict "so have their programs, comments aside" "$(for file in lessons/{"$lesson",9[012]-*}/driver.cu solutions/{"$lesson",9[012]-*}/{.,*}/*.cu starter/{"$lesson",9[012]-*}.cu; do
    diff <(sed '\,^ *//,d; s, *//.*,,' "$file") <(clang-format "$file" | sed '\,^ *//,d; s, *//.*,,') >/dev/null || echo "$file"
done)"

# What the author's checks say: nothing fails, and what is to be filled in stands in the order in which it is done. 90-int is packed below, which checks it as well.
for shape in "$lesson" $further; do
    output=$(make -s check-lesson LESSON=$shape 2>&1)
    verdict "$shape passes at once" "$([ $? -eq 0 ] && ! grep -q '^FAILED' <<<"$output" || echo "$output")"
    verdict "$shape: what to do next" "$(grep -E '^       ' <<<"$output" | sed -E 's/ \([0-9]+\)$//; s/: has [0-9]+$//; s/^ *//; /^alternatives/d' | paste -sd' ' |
        grep -vxF "judge.c hidden.def solution.cu lesson.yaml figures/sketch.svg lesson.md README.md $shape has 900 to 1400 words")"
done
verdict "points are as the page says" "$(for n in $next 90 91 92; do build/bin/warpschool check $n solutions/$n-*/solution.cu --json; done | jq -r '"\(.score) of \(.max_score)"' | uniq -c | awk '{ print $1, $2, $4 }' | grep -vx '4 10 10')"
# One that is spoilt fails, and its remedy comes before what is to be filled in.
spoilt() {
    sed -i 's/out-of-bounds/leak/' "solutions/$lesson/mutants/missing-guard.cu"
    cp "solutions/$lesson/solution.cu" "$work/solution.cu"
    sed -i '/\[kernel\]/a\    for (volatile int turns = i \& 7; turns > 0; turns--) {}' "solutions/$lesson/solution.cu"
    output=$(make -s lesson-pack LESSON="$next" 2>&1)
    status=$?
    cp "$work/solution.cu" "solutions/$lesson/solution.cu"
    holds "a note on the solution is said, and fails nothing of a teacher's lesson: $output" "$(! grep -q '^FAILED .*no note speaks' <<<"$output" &&
        grep -A 1 'The judge has a note on the solution' <<<"$output" | grep -q 'divergent-branch in line'; echo $?)"
    holds "a mutant that is not what it says fails: $output" "$([ $status -ne 0 ] && grep -A 1 '^  [12]. Each mutant' <<<"$output" | grep -q missing-guard; echo $?)"
    holds "and is not packed" "$(grep -q "$lesson does not pass its checks" <<<"$output" && [ ! -e "build/lessons/$lesson.lesson" ]; echo $?)"
    sed -i 's/expect: leak/expect: out-of-bounds/' "solutions/$lesson/mutants/missing-guard.cu"
}
! grep -qx spoilt <<<"$once_more" || spoilt
# A lesson that names no author is the course's own, whose rules are failures.
sed -i '/^author:/d' "lessons/$lesson/lesson.yaml"
verdict "the course's own rules" "$(LESSON=$lesson FILTER=$lesson bash tests/lessons/pages.sh | sed -n "s/^FAILED $lesson //p" | sed 's/:.*//' | paste -sd, | grep -vx 'has 900 to 1400 words,is filled in')"
holds "a word of C++ for a name does no harm" "$(build/bin/warpschool check 90 solutions/90-int/solution.cu >/dev/null 2>&1; echo $?)"
holds "a lesson that is not there is no lesson" "$(make -s check-lesson LESSON=77 2>&1 | grep -q '`77` is no lesson'; echo $?)"

manifest=lessons/$lesson/lesson.yaml
cp "$manifest" "$work/manifest"
mistaken() { # what, sed's edit, line, words of the message, words of the remedy
    sed -E "$2" "$work/manifest" >"$manifest"
    local output status
    output=$(build/bin/warpschool check 01 starter/01-vector-add.cu 2>&1)
    status=$?
    verdict "manifest: $1" "$([ $status -eq 3 ] && grep -qE "$manifest:$3:[0-9]+: error: .*$4|$manifest:$3: error: .*$4" <<<"$output" && grep -qE -- "$5" <<<"$output" || echo "exit status $status: $output")"
    cp "$work/manifest" "$manifest"
}
line_of() { grep -n -m 1 "$1" "$work/manifest" | cut -d: -f1; }
mistaken "an unknown key" 's/^summary:/sumary:/' "$(line_of '^summary:')" 'unknown key `sumary`' 'the keys here are: title, '
mistaken "no finding of that name" 's/^starter_fails: .*/starter_fails: wrong/' "$(line_of '^starter_fails:')" 'must be the name of a finding' 'warpgrind explain'
mistaken "a number out of its range" 's/seconds: 10/seconds: 0/' "$(line_of '^limits:')" 'a whole number in its range' 'from 1 to 600'
mistaken "a budget of nothing known" 's/what: longest_thread/what: longest_tread/' "$(line_of 'what: longest')" 'does not know `longest_tread`' 'there are: .*longest_thread'
mistaken "a flag that is neither" 's/^core: false/core: perhaps/' "$(line_of '^core:')" 'must be true or false' 'docs/manifest.md'
mistaken "an expression that is none" 's,at_most: .*,at_most: "200 + n /",' "$(line_of 'at_most')" '`at_most`' 'docs/manifest.md'
mistaken "a lesson needed that is not there" 's/^needs: .*/needs: [01-vector-sum]/' "$(line_of '^needs:')" 'there is no lesson `01-vector-sum`' 'write a folder of lessons/ in full'
mistaken "no YAML" 's/^points: .*/points: {clean: 2/' "$(($(line_of '^points:') + 1))" 'this is not YAML' 'docs/manifest.md'

# Lesson 01 copied by hand, as people do.
cp -r lessons/01-vector-add lessons/93-copied && cp -r solutions/01-vector-add solutions/93-copied
output=$(make -s all 2>&1)
holds "a lesson that was copied by hand is said: ${output: -500}" "$([ $? -eq 0 ] && grep -q '^lessons/93-copied/judge.c:[0-9]*: `judge_01_vector_add` is the judge of another folder; this one.s is `judge_93_copied`' <<<"$output"; echo $?)"
holds "and the others still work" "$(build/bin/warpschool check 01 solutions/01-vector-add/solution.cu >/dev/null 2>&1; echo $?)"
sed -i 's/judge_01_vector_add/judge_93_copied/' lessons/93-copied/judge.c
output=$(make -s all 2>&1)
holds "so is the name in it: ${output: -300}" "$(grep -q '^lessons/93-copied/judge.c:[0-9]*: the judge says that it is of "01-vector-add"' <<<"$output"; echo $?)"
sed -i 's/"01-vector-add"/"93-copied"/' lessons/93-copied/judge.c
output=$(make -s all 2>&1)
holds "with both changed it is a lesson" "$([ -z "$output" ] || ! grep -q 93-copied/judge.c: <<<"$output"; build/bin/warpschool check 93 solutions/93-copied/solution.cu >/dev/null 2>&1; echo $?)"

# ---- packed, and added ----

not_packed() { # what, words of the message, lesson
    local output status
    output=$(BUILD=build sh authoring/lesson-pack.sh "$3" 2>&1)
    status=$?
    verdict "not packed: $1" "$([ $status -eq 2 ] && grep -qF -- "$2" <<<"$output" && [ ! -e build/lessons/90-int.lesson ] || echo "exit status $status: $output")"
}
not_packed "no lesson named" "the lesson is missing" ""
not_packed "none of that name" '`77` is no lesson' 77
echo notes >lessons/90-int/notes.txt
not_packed "a file that no lesson has" "lessons/90-int/notes.txt is not a file that a lesson has" 90
rm lessons/90-int/notes.txt && ln -s "$PWD/README.md" lessons/90-int/gpu.csv
not_packed "a link" "lessons/90-int/gpu.csv is no file" 90
rm lessons/90-int/gpu.csv
cp lessons/90-int/lesson.md "$work/page" && echo "<script>alert(1)</script>" >>lessons/90-int/lesson.md
not_packed "what nobody could add" "lesson.md has more than text and pictures" 90
cp "$work/page" lessons/90-int/lesson.md
sed -i 's,<svg .*,&<style>text{fill:#555}</style>,' lessons/90-int/figures/sketch.svg # as the course's own figures have
printf '# Questions\n' >lessons/90-int/questions.md
output=$(make -s lesson-pack LESSON=90 2>&1)
pack=build/lessons/90-int.lesson
holds "a lesson is packed: $(grep -A 2 FAILED <<<"$output")${output: -100}" "$([ -f $pack ]; echo $?)"
hash=$(head -n 1 $pack | cut -d' ' -f3)
holds "its hash is told" "$(grep -q "$hash" <<<"$output"; echo $?)"
cp $pack "$work/good.lesson"
good=$work/good.lesson

tail -n +2 "$good" | gzip -dc >"$work/good.tar"
mkdir "$work/lesson" && tar -xf "$work/good.tar" -C "$work/lesson"
pack_tar() { # tar, pack: with the hash that is right for it
    gzip -9n <"$1" >"$work/body"
    { echo "warpschool-lesson/v1 90-int $(sha256sum <"$work/body" | cut -d' ' -f1)" && cat "$work/body"; } >"$2"
}
not_added() { # what, pack, words of the message, more of make's words
    local before output status
    before=$(find . -path ./build -prune -o -type f -newer "$work/good.tar" -print; ls lessons solutions starter)
    output=$(BUILD=build sh authoring/lesson-add.sh "$2" "${4:-}" "${5:-}" 2>&1)
    status=$?
    verdict "not added: $1" "$([ $status -eq 2 ] && grep -qF -- "$3" <<<"$output" && [ "$before" = "$(find . -path ./build -prune -o -type f -newer "$work/good.tar" -print; ls lessons solutions starter)" ] || echo "exit status $status: $output")"
}
altered() { # what, the words of the message, commands in a copy of the lesson
    rm -rf "$work/copy" && cp -R "$work/lesson" "$work/copy"
    (cd "$work/copy" && eval "$3" && find * ! -type d | tar -cf ../bad.tar -T -)
    pack_tar "$work/bad.tar" "$work/bad.lesson"
    not_added "$1" "$work/bad.lesson" "$2" "" 95-bad
}
for at in 30 120 5000 $(($(wc -c <"$good") - 3)); do
    cp "$good" "$work/bad.lesson"
    printf '\377' | dd of="$work/bad.lesson" bs=1 seek=$at conv=notrunc status=none
    not_added "byte $at altered" "$work/bad.lesson" "$([ $at -lt 100 ] && echo "is no packed lesson" || echo "its hash does not match")"
done
head -c 2000 "$good" >"$work/bad.lesson"
not_added "cut short" "$work/bad.lesson" "its hash does not match"
not_added "another hash than was told" "$good" "another lesson than the one whose hash you were told" 0123456789abcdef
not_added "a hash of two digits" "$good" "is no hash" "${hash:0:2}"
not_added "one that is there" "$good" "lessons/90-int is there already" "$hash" 90-int
not_added "no pack" README.md "is no packed lesson"
not_added "no file named" "" "the file is missing"
not_added "a file that is not there" "$work/absent.lesson" "is no file"
head -c 9000000 /dev/zero >"$work/bad.lesson"
not_added "9 MB" "$work/bad.lesson" "is larger than a lesson"
packed() { { echo "warpschool-lesson/v1 90-int $(sha256sum <"$1" | cut -d' ' -f1)" && cat "$1"; } >"$work/bad.lesson"; } # a body: with its hash
echo "no archive" >"$work/body" && packed "$work/body"
not_added "a body that is not compressed" "$work/bad.lesson" "an archive that is damaged"
seq 5000 | gzip -9n >"$work/body" && packed "$work/body"
not_added "a compressed body that is no archive" "$work/bad.lesson" "an archive that cannot be read"
altered "more files than a lesson has" "more than 300 files" 'for i in $(seq 300); do echo >"solutions/mutants/m$i.cu"; done'
rm -rf "$work/copy" && cp -R "$work/lesson" "$work/copy" && truncate -s 20M "$work/copy/lesson/gpu.csv"
tar -C "$work/copy" --sparse -cf "$work/bad.tar" $(cd "$work/copy" && find * ! -type d) 2>/dev/null
pack_tar "$work/bad.tar" "$work/bad.lesson"
not_added "files with holes" "$work/bad.lesson" "files of more than 8 MiB"
altered "a link" "no plain file" 'ln -s /etc/passwd lesson/gpu.csv'
altered "a hard link" "no plain file" 'ln lesson/judge.c lesson/gpu.csv'
altered "a folder that is a link" "no plain file" 'mv lesson/figures f && ln -s ../../../starter lesson/figures'
altered "a pipe" "no plain file" 'mkfifo lesson/gpu.csv'
altered "a file that no lesson has" "a file that no lesson has: lesson/Makefile" 'echo all: >lesson/Makefile'
for name in ../../README.md /tmp/README.md lesson/../../README.md $'lesson/judge.c\nlesson/hidden.def' lesson/figures/.git lesson/figures/-x.svg; do
    printf 'x\n' >"$work/x"
    tar -cf "$work/bad.tar" -C "$work/lesson" -P $(tar -tf "$work/good.tar") --transform="s|^$work/x\$|${name//$'\n'/\\n}|" "$work/x" 2>/dev/null
    pack_tar "$work/bad.tar" "$work/bad.lesson"
    not_added "the name $(printf %q "$name")" "$work/bad.lesson" "a packed lesson has plain files of one lesson, and nothing else"
done
cp "$work/good.tar" "$work/bad.tar" && tar -rf "$work/bad.tar" -C "$work/lesson" lesson/judge.c
pack_tar "$work/bad.tar" "$work/bad.lesson"
not_added "a file twice" "$work/bad.lesson" "a file twice: lesson/judge.c"
head -c 300000000 /dev/zero >"$work/bad.tar" && pack_tar "$work/bad.tar" "$work/bad.lesson" && rm "$work/bad.tar"
not_added "300 MB in a few" "$work/bad.lesson" "more than 8 MiB"
altered "a judge that reads a file as it is built" "includes another file" 'echo "#include \"/etc/passwd\"" >>lesson/hidden.def'
altered "a judge in assembly" "what no judge needs" 'echo "__asm__(\"nop\");" >>lesson/judge.c'
altered "a line that hides in two" "what no judge needs" 'printf "#inc\\\\\nlude \"x\"\n" >>lesson/judge.c'
altered "a page with a script" "more than text and pictures" 'echo "<script>alert(1)</script>" >>lesson/lesson.md'
altered "questions with a script" "questions.md has more than text and pictures" 'echo "<script>alert(1)</script>" >>lesson/questions.md'
altered "a figure that runs" "more than text and pictures" 'sed -i "s/<svg /<svg onload=\"alert(1)\" /" lesson/figures/sketch.svg'
altered "a figure whose style loads" "sketch.svg has more than text and pictures" 'sed -i "s,<svg .*,&<style>svg{fill:url(https://evil.example/x)}</style>," lesson/figures/sketch.svg'
altered "a page with a style" "more than text and pictures" 'echo "<style>body{display:none}</style>" >>lesson/lesson.md'
altered "a page that shows another file" "shows a file of another folder" 'echo "\`\`\`{.cuda include=\"solutions/01-vector-add/../../.git/config\"}" >>lesson/lesson.md'
altered "questions that show another file" "questions.md shows a file of another folder" 'echo "\`\`\`{.cuda include=\"README.md\"}" >>lesson/questions.md'
altered "no judge" "has no lesson/judge.c" 'rm lesson/judge.c'
altered "bytes for text" "a file that is no text" 'printf "\\0" >>lesson/gpu.csv'
altered "a judge that calls the system" "calls what no judge needs: system" 'sed -i "s/^static bool prepare(.*/int system(const char *);\n&\n    if (system(\"touch \/tmp\/w-was-here\") == 0) return false;/" lesson/judge.c'
altered "a judge that is no C" "the lesson does not build" 'echo "int x" >>lesson/judge.c'
altered "an answer that is none" "the lesson does not pass its checks" 'sed -i "s/;/,/" solutions/solution.cu'

# It comes in under another number: its names follow, and its own checks have run.
output=$(make -s lesson-add FILE="$good" HASH="${hash:0:16}" NAME=94-again 2>&1)
holds "a lesson is added: ${output: -400}" "$([ -f lessons/94-again/judge.c ] && [ -f starter/94-again.cu ] && grep -q 'Ada Example' <<<"$output"; echo $?)"
verdict "its names are those of its new place" "$(grep -rn '90-int\|judge_90\|LESSON=90' lessons/94-again solutions/94-again starter/94-again.cu)"
output=$(make -s all 2>&1 && build/bin/warpschool check 94 solutions/94-again/solution.cu 2>&1)
holds "and it works: ${output: -300}" $?
! grep -qx again <<<"$once_more" || make -s lesson-pack LESSON=94 >/dev/null 2>&1
! grep -qx again <<<"$once_more" || holds "packed again it is the same but for its number" "$(tail -n +2 build/lessons/94-again.lesson | gzip -dc | tar -xO | sed 's/94-again/90-int/g; s/judge_94_again/judge_90_int/g; s/LESSON=94/LESSON=90/g' | cmp -s - <(tar -xOf "$work/good.tar"); echo $?)"
finish
