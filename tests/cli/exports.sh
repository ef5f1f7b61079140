#!/bin/bash
# Every format of exports.def, with hostile names and messages, read by a reader of its own kind (exports_check.py); and the commands
# that write them. Needs python3-jsonschema, xmllint and pandoc. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/cli/common.bash"
warpschool=$build/bin/warpschool
samples=$build/tests/grading/export_samples

mkdir "$work/samples"
"$samples" "$work/samples" >"$work/out" 2>"$work/log" || verdict "samples are written" "$(cat "$work/log")"
sed -n 's/^ *HOSTILE("\([a-z0-9-]*\)".*/\1/p' tests/grading/export_samples.c >"$work/samples/names"

# --- every row has a reader, which finds nothing wrong
rows=$(sed -n 's/^EXPORT("\([^"]*\)", [a-z0-9_]*, \([A-Z]*\), \([A-Z]*\),.*/\1 \2 \3/p' grading/out/exports.def)
check "rows: as many as there are" "[ \$(grep -c '^EXPORT(' grading/out/exports.def) -eq \$(wc -l <<<'$rows') ]"
while read -r format scope reader; do
    selected "reader: $format" || continue
    verdict "reader: $format" "$(python3 tests/cli/exports_check.py "$work/samples" "$format" "$reader" "$scope" 2>&1)"
done <<<"$rows"
verdict "reader: none for a format that there is not" \
    "$([[ $(python3 tests/cli/exports_check.py "$work/samples" nothing STAFF CLASS) == *"no reader"* ]] || echo "it was read")"

verdict "docs: the table of formats" "$(diff <(sh grading/out/table.sh) <(sed -n '/^<!-- formats/,/^<!-- end/{/^<!--/!p}' docs/exports.md) | head -n 4)"

# --- check --format: one result
wrong=solutions/07-block-sum-dynamic/mutants/missing-barrier.cu
judge() { # arguments of check; leaves $status, out, log
    "$warpschool" check "$@" >"$work/out" 2>"$work/log" </dev/null
    status=$?
}
judge 07 $wrong --format gradescope
check "check: --format prints that format" "[ $status -eq 1 ] && json_says '.score == 3 and (.tests | length) == 10' $work/out"
judge 07 solutions/07-block-sum-dynamic/solution.cu --format autolab
check "check: a pass" "[ $status -eq 0 ] && [ '{\"scores\":{\"07-block-sum-dynamic\":10},\"scoreboard\":[10]}' = \"\$(tail -n 1 $work/out)\" ]"
judge 07 $wrong --format gradescop
check "check: an unknown format, before anything is run" "[ $status -eq 2 ] && [ ! -s $work/out ] && grep -q 'Did you mean gradescope' $work/log"
judge 07 $wrong --format canvas
check "check: a class's format is none for one file" "[ $status -eq 2 ] && [ ! -s $work/out ] && grep -q 'canvas is for a whole class' $work/log"
echo 'int x = ;' >"$work/bad.cu"
judge 07 "$work/bad.cu" --format text
check "check: what does not compile is said there" "[ $status -eq 1 ] && grep -q 'expected expression' $work/out"
judge 07 "$work/bad.cu" --format prairielearn
check "check: what does not compile is graded" "json_says '.gradable and .score == 0' $work/out"
judge 07 "$work/bad.cu" --format autolab
check "check: Autolab's first stage" "head -n 1 $work/out | json_says '.Build[\"07-block-sum-dynamic\"].passed == false'"

# --- warpschool export, from results
"$warpschool" check 07 $wrong --json >"$work/seven.json" 2>"$work/log"
"$warpschool" check 01 solutions/01-vector-add/solution.cu --json >"$work/one.json" 2>"$work/log"
give() { # arguments of export; leaves $status, out, log
    "$warpschool" export "$@" >"$work/out" 2>"$work/log" </dev/null
    status=$?
}
give gradescope "$work/one.json" "$work/seven.json"
check "export: two results in one file" "[ $status -eq 0 ] && json_says '.score == 13 and ([.tests[].name] | index(\"07-block-sum-dynamic: one warp\"))' $work/out"
jq '.cases |= map(.verdict = "pass" | .points = .max_points) | .findings = [] | .max_score = 12 | .score = 10
    | .budget = [{title: "reads", what: "reads", case: "c", expected: 1, measured: 3, at_most: "1", points: 0, max_points: 2, required: false, why: "Read once."}]
    | (10 - ([.cases[].points] | add)) as $rest | .max_score = 12' "$work/seven.json" >"$work/costly.json"
give text "$work/costly.json"
check "text: all cases are right, and what cost the points is told" "[ $status -eq 0 ] && grep -q 'Missing points' $work/out && grep -q '  2 points: the budget, reads: Read once.' $work/out && ! grep -q 'without mistakes' $work/out"
give text "$work/one.json"
check "text: nothing is missing where all points are given" "[ $status -eq 0 ] && ! grep -q Missing $work/out"
give autolab "$work/seven.json" -o "$work/written"
check "export: to a file" "[ $status -eq 0 ] && [ ! -s $work/out ] && tail -n 1 $work/written | json_says '.scores[\"07-block-sum-dynamic\"] == 3'"
give autolab "$work/seven.json" -o "$work/no/such/folder"
check "export: a file that cannot be written" "[ $status -eq 2 ] && grep -q 'no/such/folder.*cannot write' $work/log"
give check50 "$work/one.json" "$work/seven.json"
check "export: one lesson only" "[ $status -eq 2 ] && grep -q 'check50 holds one lesson' $work/log"
give gradescope "$work/seven.json" "$work/log"
check "export: what is no JSON" "[ $status -eq 2 ] && grep -q 'not valid JSON' $work/log && [ ! -s $work/out ]"
echo '{"schema": "warpgrind/report/v1"}' >"$work/other.json"
give gradescope "$work/other.json"
check "export: what is no result" "[ $status -eq 2 ] && grep -q 'no result of warpschool check' $work/log"
jq '.verdict = "error" | .problem = "the disk is full"' "$work/seven.json" >"$work/fault.json"
give gradescope "$work/fault.json" -o "$work/never"
check "export: a fault of the grader is nobody's zero" "[ $status -eq 1 ] && [ ! -e $work/never ] && grep -q 'the disk is full' $work/log && grep -q 'nobody gets a zero' $work/log"
give prairielearn "$work/fault.json"
check "export: nor an attempt" "[ $status -eq 0 ] && json_says '.gradable == false and (has(\"score\") | not)' $work/out"
give
check "export: no format" "[ $status -eq 2 ] && grep -q 'usage: warpschool export FORMAT' $work/log"
give --help
check "export: the help names every format" "[ $status -eq 0 ] && [ \$(grep -c '^  [a-z0-9-]* *\(a lesson\|a student\|the class\)  ' $work/out) -eq \$(wc -l <<<'$rows') ]"
give csv --gradebook "$work/none.db"
check "export: a gradebook that there is not" "[ $status -eq 2 ] && grep -q 'none.db' $work/log && [ ! -e $work/none.db ]"

# --- warpschool export, from a gradebook
mkdir -p "$work/class"/{ann,ben,301,zoe}
cp solutions/07-block-sum-dynamic/solution.cu "$work/class/ann/07-block-sum-dynamic.cu"
sed '/[;{]$/s|$| // <script>alert(1)</script>|' $wrong >"$work/class/ben/07-block-sum-dynamic.cu"
cp $wrong "$work/class/zoe/my-block-sum.cu"
ln -s /etc/passwd "$work/class/301/07-block-sum-dynamic.cu"
printf 'id,name,email,login,section\nann,Ann Lee,ann@example.org,alee,A\nben,"=Ray, Ben",ben@example.org,bray,B\n301,,,,\nzoe,Zoe Fox,zoe@example.org,zfox,B\n' >"$work/roster.csv"
# In the order of this seed the race that is told first has its other side on another line.
"$warpschool" grade "$work/class" --roster "$work/roster.csv" --gradebook "$work/book.db" --seed 2 >"$work/out" 2>"$work/log"
status=$?
check "book: a file under a wrong name is something to look at, and no fault of the grader's" "[ $status -eq 0 ] && [ 'To look at: 1 file of no lesson, from zoe (Zoe Fox)' = \"\$(tail -n 1 $work/out)\" ]"
most=$("$warpschool" export json --gradebook "$work/book.db" | jq '.lessons[0].name as $n | [.students[].grades[] | select(.lesson == $n) | .max_points] | max')
give times "$work/book.db"
check "export: a gradebook where results stand" "[ $status -eq 2 ] && grep -q 'book.db: error: this is a gradebook, and no result' $work/log && grep -q -- '--gradebook names it' $work/log"
give canvas --gradebook "$work/book.db"
check "book: Canvas" "[ $status -eq 0 ] && grep -q '^\"Ann Lee\",\"\",\"ann\",\"alee\",\"A\",$most\$' $work/out && grep -q '^\"301\",.*,0\$' $work/out"
check "book: a name that is a formula" "grep -q '^\".=Ray, Ben\",' $work/out"
check "book: Canvas has no place for why a file counts nothing, so it is said" "grep -q 'student zoe has files of no lesson.*zoe/my-block-sum.cu: no lesson has this name' $work/log"
give moodle --gradebook "$work/book.db" -o "$work/moodle.csv"
check "book: nobody else on the machine reads what was exported" '[ "$(stat -c %a "$work/moodle.csv")" = 600 ]'
check "book: Moodle, without a student who lacks what the others have" "[ $status -eq 0 ] && grep -q '^username,idnumber,email,firstname' $work/moodle.csv && grep -q '^\"alee\",\"ann\",\"ann@example.org\",' $work/moodle.csv && [ \$(wc -l <$work/moodle.csv) -eq 4 ] && grep -q 'student 301 is left out: without username and email' $work/log"
give csv --gradebook "$work/book.db"
check "book: why a file was refused, and what to do" "grep -q 'Not graded: 301/07-block-sum-dynamic.cu is a symbolic link. What to do: ' $work/out"
check "book: no remark ends with a blank" "! grep -q ' \"' $work/moodle.csv"
unplaced="Nothing was handed in under this lesson's name. Not graded: zoe/my-block-sum.cu: no lesson has this name. What to do: "
give csv --gradebook "$work/book.db"
check "book: a file under a wrong name is told in the remarks" "grep '^\"zoe\"' $work/out | grep -qF \"\$unplaced\""
give feedback --gradebook "$work/book.db" --student zoe
check "book: and on the student's page, twice: by itself, and at the lesson" "[ \$(grep -c 'Not graded: zoe/my-block-sum.cu: no lesson has this name' $work/out) -eq 2 ]"
give text --gradebook "$work/book.db" --student zoe
check "book: and in the words" "grep -qxF 'Not graded: zoe/my-block-sum.cu: no lesson has this name' $work/out && grep -q '^What to do: ' $work/out"
give json --gradebook "$work/book.db"
check "book: and in the JSON" "json_says '[.students[] | select(.id == \"zoe\") | .unplaced[0].path] == [\"zoe/my-block-sum.cu\"]' $work/out"
"$warpschool" gradebook --gradebook "$work/book.db" --student zoe >"$work/out" 2>"$work/log"
check "book: and in the gradebook" "grep -q 'zoe/my-block-sum.cu: no lesson has this name' $work/out"
"$warpschool" gradebook --gradebook "$work/book.db" >"$work/out" 2>"$work/log"
check "book: whose table has a sign for it" "grep -qE '^zoe +Zoe Fox +-\? +0\$' $work/out && grep -q '^-?  ' $work/out"
give gradescope --gradebook "$work/book.db" --student ann@example.org --lesson 7
check "book: one student's lesson, by address and number" "[ $status -eq 0 ] && json_says '.score == $most' $work/out"
give gradescope --gradebook "$work/book.db"
check "book: which student?" "[ $status -eq 2 ] && grep -q -- '--student ID' $work/log && [ ! -s $work/out ]"
give text --gradebook "$work/book.db" -o "$work/feedback/"
check "book: in folders that nobody else looks into" '[ "$(stat -c %a "$work/feedback" "$work/feedback/ann" "$work/feedback/ann/feedback.txt" | tr "\n" " ")" = "700 700 600 " ]'
check "book: a file for each student" "[ $status -eq 0 ] && grep -q 'shared-race' $work/feedback/ben/feedback.txt && grep -q 'passed' $work/feedback/ann/feedback.txt && [ -s $work/feedback/301/feedback.txt ]"
line=$(jq '[.findings[] | select(.kind == "shared-race")][0].line' "$work/seven.json")
quoted=$(sed -n "${line}p" $wrong | sed 's/^/ | /; s/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g')
give feedback --gradebook "$work/book.db" --student ben
check "book: feedback quotes the line, with a caret, and the other party's" "[ $status -eq 0 ] && grep -qF -- \"\$quoted\" $work/out && grep -qE '^ +\| +\^' $work/out && grep -q 'the other access, line' $work/out"
check "book: the line is no markup" "grep -q '&lt;script&gt;' $work/out && ! grep -q '<script' $work/out"
give text --gradebook "$work/book.db" --student ben
plain=$(sed -n "${line}p" $wrong)
check "book: the words quote it too, as check does" "[ $status -eq 0 ] && grep -qF -- \" | \$plain\" $work/out && grep -qE '^ +\| +\^' $work/out && grep -q 'the other access, line' $work/out"
give csv --gradebook "$work/book.db" --student nobody
check "book: a student that there is not" "[ $status -eq 2 ] && grep -q 'nobody' $work/log"

# --- names that no disk takes as they are
hundred=$(printf '\346\227\245%.0s' {1..80})
mkdir -p "$work/long/"{ann,"${hundred}a","${hundred}b","$(printf '%%%.0s' {1..250})"}
for folder in "$work"/long/*; do : >"$folder/07-block-sum-dynamic.cu"; done
"$warpschool" grade "$work/long" --gradebook "$work/long.db" --seed 1 >"$work/out" 2>"$work/log"
give text --gradebook "$work/long.db" -o "$work/lengths/"
check "book: a file for each student, however long the name" "[ $status -eq 0 ] && [ \$(ls $work/lengths/*/feedback.txt | wc -l) -eq 4 ] && [ -s $work/lengths/ann/feedback.txt ]"

give canvas --canvas-ids --gradebook "$work/long.db"
check "book: without a roster the ids may be Canvas's own" "grep -q '^\"ann\",\"ann\",\"\",' $work/out"

# --- Moodle, where most have no address
mkdir -p "$work/few/"{ann,ben}
printf 'id,name,email\nann,Ann Lee,ann@example.org\nben,Ben Ray,\n' >"$work/few.csv"
: >"$work/few/ann/07-block-sum-dynamic.cu" && : >"$work/few/ben/07-block-sum-dynamic.cu"
"$warpschool" grade "$work/few" --roster "$work/few.csv" --gradebook "$work/few.db" --seed 1 >"$work/out" 2>"$work/log"
give moodle --gradebook "$work/few.db"
check "book: Moodle, without a column that only half the class has" "[ $status -eq 0 ] && grep -q '^idnumber,firstname' $work/out && [ \$(wc -l <$work/out) -eq 3 ] && grep -q 'the column email is left out, because 1 of 2 students have none' $work/log"

# --- Moodle's grading worksheet as the roster, as a spreadsheet saves it: its numbers are of one assignment, and no idnumber
mkdir -p "$work/sheet/"{"Ann Lee_41","小明 王_42"}_assignsubmission_file_
: >"$work/sheet/Ann Lee_41_assignsubmission_file_/07.cu" && : >"$work/sheet/小明 王_42_assignsubmission_file_/07.cu"
printf 'Identifier\tFull name\tEmail address\nParticipant 41\tAnn Lee\tann@example.org\nParticipant 42\t小明 王\tming@example.org\n' | iconv -f UTF-8 -t UTF-16 >"$work/sheet.csv"
"$warpschool" grade "$work/sheet" --roster "$work/sheet.csv" --gradebook "$work/sheet.db" --seed 1 >"$work/out" 2>"$work/log"
check "book: names in two scripts stand in columns" "grep -q '^41      Ann Lee  *0  *0\$' $work/out && [ \"\$(sed -n 's/^41      Ann Lee//p' $work/out)\" = \"\$(sed -n 's/^42      小明 王//p' $work/out)\" ]"
give moodle --gradebook "$work/sheet.db"
check "book: Moodle's worksheet, by addresses alone" "[ $status -eq 0 ] && grep -q '^email,firstname,lastname,\"07' $work/out && grep -q '^\"ming@example.org\",\"小明\",\"王\",0,' $work/out"

# --- Moodle's own names, which no comma cuts elsewhere
printf 'First name,Last name,ID number,Email address\nAnn,"Lee, Jr.",ann,ann@example.org\nBen Bo,van Ray,ben,ben@example.org\n' >"$work/parts.csv"
"$warpschool" grade "$work/few" --roster "$work/parts.csv" --gradebook "$work/parts.db" --seed 1 --prepare >"$work/out" 2>"$work/log"
give moodle --gradebook "$work/parts.db"
check "book: Moodle gets back first and last names as they were" "grep -q '^\"ann\",\"ann@example.org\",\"Ann\",\"Lee, Jr.\",' $work/out && grep -q ',\"Ben Bo\",\"van Ray\",' $work/out"

# --- a roster that is Canvas's own download: what it says of students comes back unchanged
printf 'Student,ID,SIS User ID,SIS Login ID,Section,07-block-sum-dynamic (815)\n    Points Possible,,,,,10\n"Lee, Ann",4711,,ann,"Sec A, Sec B",\n"Ray, Ben",4712,,ben,Sec A,3\n' >"$work/canvas-roster.csv"
"$warpschool" grade "$work/few" --roster "$work/canvas-roster.csv" --gradebook "$work/canvas.db" --seed 1 >"$work/out" 2>"$work/log"
for option in "" --canvas-ids; do
    give canvas $option --gradebook "$work/canvas.db"
    check "book: Canvas gets back its own columns $option" "[ $status -eq 0 ] && [ \"\$(head -n 1 $work/out)\" = '\"Student\",\"ID\",\"SIS User ID\",\"SIS Login ID\",\"Section\",\"07-block-sum-dynamic (815)\"' ] &&
        grep -q '^\"Lee, Ann\",\"4711\",\"\",\"ann\",\"Sec A, Sec B\",0\$' $work/out && [ \$(wc -l <$work/out) -eq 4 ]"
done
give canvas --gradebook "$work/few.db" --canvas-ids
check "book: the ids of another roster are not Canvas's" "grep -q '^\"Ann Lee\",\"\",\"ann\",' $work/out"

# An id that is but the login is no number of a student's in the school's own system.
printf 'login,name\nann,Ann Lee\nben,Ben Ray\n' >"$work/logins.csv"
"$warpschool" grade "$work/few" --roster "$work/logins.csv" --gradebook "$work/logins.db" --seed 1 --prepare >"$work/out" 2>"$work/log"
give canvas --gradebook "$work/logins.db"
check "book: Canvas finds by their logins whom it knows by nothing else" "grep -qx '\"Ann Lee\",\"\",\"\",\"ann\",\"\",' $work/out"

# --- who has no line in a system's own roster: the number that a download has for them may be somebody else's there
cp -r "$work/few" "$work/guests"
printf 'Student,ID,SIS User ID,SIS Login ID,Section\n"Lee, Ann",1,4711,ann,A\n"Ray, Ben",2,22,ben,A\n' >"$work/guests-canvas.csv"
printf 'OrgDefinedId,Username,Last Name,First Name\n#4711,#ann,Lee,Ann\n#22,#ben,Ray,Ben\n' >"$work/guests-brightspace.csv"
printf 'Last Name,First Name,Username,Student ID\nLee,Ann,ann,1\nRay,Ben,ben,22\n' >"$work/guests-blackboard.csv"
printf 'Student ID,Name\nann,"Lee, Ann"\nben,"Ray, Ben"\n' >"$work/guests-sakai.csv"
for system in Canvas Brightspace Blackboard Sakai; do
    name=${system,}
    cp -r "$work/few/ann" "$work/guests/9$system"
    "$warpschool" grade "$work/guests" --roster "$work/guests-$name.csv" --gradebook "$work/guests-$name.db" --seed 1 --prepare >"$work/out" 2>"$work/log"
    give $name --gradebook "$work/guests-$name.db"
    check "book: $system gets nobody whom its own roster does not have" "! grep -q '9$system' $work/out && [ \$(grep -c 'ann\|ben' $work/out) -eq 2 ] && grep -q \"student 9$system is left out: the roster is $system's, and has no line for them\" $work/log"
    rm -rf "$work/guests/9$system"
done

# --- grades that nobody has decided yet
"$warpschool" grade "$work/few" --gradebook "$work/open.db" --seed 1 --prepare >"$work/out" 2>"$work/log"
give canvas --gradebook "$work/open.db" -o "$work/open.csv"
check "book: an export with open grades says how many, and is written" "[ $status -eq 1 ] && grep -q '^warning: 2 of 2 grades are open' $work/log && [ -s $work/open.csv ]"

# --- a column's name says its points there: where the course has others, a system that divides by its own would show other grades
printf 'Last Name,First Name,Username,07-block-sum-dynamic [Total Pts: 20 Score] |813,07-block-sum-dynamic Points Grade <Numeric MaxPoints:7.5 Weight:1>\nLee,Ann,ann,,\nRay,Ben,ben,,\n' >"$work/worth.csv"
for weight in 10 20; do printf 'id: worth\nlessons:\n  07: {weight: %s}\n' $weight >"$work/worth-$weight.yaml"; done
"$warpschool" grade "$work/few" --roster "$work/worth.csv" --course "$work/worth-10.yaml" --gradebook "$work/worth.db" --seed 1 --prepare >"$work/out" 2>"$work/log"
give blackboard --gradebook "$work/worth.db" --course "$work/worth-10.yaml"
check "book: Blackboard's points are others" "grep -qF 'Blackboard has 20 points for its column \`07-block-sum-dynamic [Total Pts: 20 Score] |813\`, and the course has 10:' $work/log && grep -qF '|813' $work/out"
give brightspace --gradebook "$work/worth.db" --course "$work/worth-10.yaml"
check "book: Brightspace's points are others" "grep -qF 'Brightspace has 7.5 points for its column \`07-block-sum-dynamic Points Grade <' $work/log"
give blackboard --gradebook "$work/worth.db" --course "$work/worth-20.yaml"
check "book: the same points are no reason for a word" "! grep -q 'Blackboard has' $work/log && grep -qF '|813' $work/out"

# --- a whole class of whom the same is to be said: one sentence
mkdir -p "$work/many/"{a,b,c,d,e,f,g}
for folder in "$work"/many/*; do : >"$folder/07-block-sum-dynamic.cu"; : >"$folder/notes.cu"; done
"$warpschool" grade "$work/many" --gradebook "$work/many.db" --seed 1 --prepare >"$work/out" 2>"$work/log"
for row in 'canvas|have files of no lesson, which Canvas will not say' 'blackboard|are left out: Blackboard' 'prairielearn-upload|are left out: PrairieLearn' 'mail|have no e-mail, and are left out'; do
    give "${row%|*}" --gradebook "$work/many.db"
    check "book: seven students in one sentence: ${row%|*}" "[ \$(grep -c '^warning: 7 students (a, b, c, d, e and 2 more) ${row#*|}' $work/log) -eq 1 ] && ! grep -q 'student a' $work/log"
done

# --- several files in one download, where the best counts
mkdir -p "$work/best"/{ann,cy}
echo "nonsense" >"$work/best/cy/01-vector-add.cu"
cp solutions/01-vector-add/solution.cu "$work/best/ann/01-vector-add (1).cu"
cp starter/01-vector-add.cu "$work/best/ann/01-vector-add (2).cu"
touch -d 2026-01-01 "$work/best/ann/01-vector-add (1).cu"
printf 'id: best\nattempts: best\n' >"$work/best.yaml"
"$warpschool" grade "$work/best" --course "$work/best.yaml" --gradebook "$work/best.db" --seed 1 >"$work/out" 2>"$work/log"
give csv --gradebook "$work/best.db"
check "book: each file is judged where the best counts" "[ $status -eq 0 ] && grep -q 'vector-add\",pass,.*,2026-01-01' $work/out"

give text --gradebook "$work/best.db" --student cy
check "book: of what does not compile no case is told by itself" "grep -qx \"  all points: it does not compile: unknown type name 'nonsense'\" $work/out && ! grep -q 'points*: the case' $work/out"
"$warpschool" gradebook --gradebook "$work/few.db" --student ann >"$work/out" 2>"$work/log"
check "book: nor of an empty file, which is called that for the staff, too" "grep -qx '        all points: it does not compile: the file is empty' $work/out"

# --- hidden cases without their concepts: each by its number where there are several
mkdir -p "$work/secret/ann"
cp solutions/07-block-sum-dynamic/hidden/sizes-by-trial.cu "$work/secret/ann/07-block-sum-dynamic.cu"
cp solutions/03-grid-stride/hidden/*.cu "$work/secret/ann/03-grid-stride.cu"
printf 'id: secret\nhidden_feedback: false\n' >"$work/secret.yaml"
"$warpschool" grade "$work/secret" --course "$work/secret.yaml" --gradebook "$work/secret.db" --seed 1 >"$work/out" 2>"$work/log"
give text --gradebook "$work/secret.db" --student ann --lesson 07
check "book: two hidden cases without a concept are two" "grep -q '✗ hidden case 1; hidden case 2: ' $work/out && grep -qx '  1 point: hidden case 2' $work/out && ! grep -q 'a power of two that none\|a hidden case;' $work/out"
give text --gradebook "$work/secret.db" --student ann --lesson 03
check "book: a single one is just that" "grep -q '✗ a hidden case: ' $work/out && grep -qx '  1 point: a hidden case' $work/out && ! grep -q 'the case a hidden\|more elements for' $work/out"

# --- an excused lesson costs nothing, however late its file came
printf 'id: secret\nlessons:\n  03: {due: 2020-01-01 00:00 Z}\n  07: {due: 2020-01-01 00:00 Z}\nlate: {percent_per_day: 10}\n' >"$work/late.yaml"
"$warpschool" gradebook --gradebook "$work/secret.db" --excuse ann --lesson 03 --reason ill >"$work/out" 2>"$work/log"
"$warpschool" gradebook --gradebook "$work/secret.db" --course "$work/late.yaml" >"$work/out" 2>"$work/log"
check "book: excused, and no part of it is for lateness" "grep -qE '^ann +excused +0~ +0\$' $work/out"

# --- what a grade was made from, and the command that makes it again
on_book() { (cd "$work" && "$warpschool" "$@" --gradebook book.db) >"$work/out" 2>"$work/log"; status=$?; }
same='{verdict, score, cases: [.cases[] | [.name, .verdict, .points, .message]], findings: [.findings[] | [.kind, .line, .message]]}'
on_book grade --explain ben 7
check "explain: seed, tools, file, and the inputs of a visible case" "[ $status -eq 0 ] && grep -q '^seed:   2 ' $work/out && grep -q '^tools:  warpschool .*clang' $work/out && grep -q 'SHA-256 [0-9a-f]\{64\}\$' $work/out && grep -qE '^    in, [0-9]+ of float: [-0-9]' $work/out"
check "explain: and nothing of hidden cases" "! grep -i '^a visible case: hidden\|a hidden case' $work/out && [ \$(grep -c '^a visible case' $work/out) -eq 1 ]"
grep '^    warpschool' "$work/out" | sed "s|^    warpschool|$(realpath "$warpschool")|" >"$work/again.sh"
(cd "$work" && sh <(sed '$s/$/ --json/' again.sh) 2>&1 | sed -n '/^{/,$p' | jq -S "$same" >again.json)
give json --gradebook "$work/book.db"
jq -S ".students[] | select(.id == \"ben\") | .grades[0].result | $same" "$work/out" >"$work/was.json"
check "explain: the command comes to the same result" "[ -s $work/was.json ] && cmp $work/again.json $work/was.json"
on_book grade --explain zoe 7
check "explain: where nothing was judged there is nothing to explain" "[ $status -eq 2 ] && grep -q 'no file was judged' $work/log"
on_book grade --explain ben
check "explain: which lesson?" "[ $status -eq 2 ] && grep -q 'usage: .*--explain STUDENT LESSON' $work/log"

# --- a student asks for another look
cp solutions/07-block-sum-dynamic/solution.cu "$work/mended.cu" && ln -s mended.cu "$work/link.cu"
on_book request ben 7 "=1+1 <b>only one line</b>" --file link.cu
check "request: a link is no file" "[ $status -eq 2 ] && grep -q 'link.cu: error: cannot read the file' $work/log"
on_book request zoe 7 "please"
check "request: there is no file to look at" "[ $status -eq 2 ] && grep -q 'no file to look at again' $work/log"
on_book answer ben 7 "no"
check "answer: nobody has asked" "[ $status -eq 2 ] && grep -q 'no request for this grade waits' $work/log"
on_book request ben 7 "=1+1 <b>only one line</b>" --file mended.cu --author eve
check "request: both runs, and how they differ" "[ $status -eq 0 ] && grep -q '^what counts:  ben/07-block-sum-dynamic.cu: [0-9]* of $most as judged' $work/out && grep -q '^the request:  another file: $most of $most' $work/out && grep -qE 'shared-race, line [0-9]+: found no more' $work/out && grep -qE '^by the rules: .* -> $most points' $work/out"
check "request: how to answer this one" "grep -q '^answer it:    warpschool answer ben 07-block-sum-dynamic TEXT ' $work/out"
on_book gradebook --student ben
check "request: where the student's grades are, how to see both runs again" "grep -qx '    no answer yet; both runs: warpschool request ben 07-block-sum-dynamic' $work/out"
on_book request ben 7 "once more"
check "request: one at a time" "[ $status -eq 2 ] && grep -q 'waits already' $work/log"
on_book gradebook
check "request: the class says that one waits, and the grade stays" "grep -q '1 request for another look waits' $work/out && ! grep -q \\* $work/out"
give text --gradebook "$work/book.db" --student ben
check "request: the student sees that it is there" "grep -qF 'You asked for another look: =1+1 <b>only one line</b>' $work/out && grep -q 'Answer: there is none yet' $work/out"
on_book answer ben 7 "you are right" --accept --points 3
check "answer: one of the two" "[ $status -eq 2 ]"
on_book answer ben 7 "you are right" --accept --author eve
check "answer: the new run counts" "[ $status -eq 0 ] && grep -q 'answered, $most points' $work/out"
give feedback --gradebook "$work/book.db" --student ben
check "answer: the student reads it, harmless, with the points" "grep -q 'Answer: you are right' $work/out && grep -q '&lt;b&gt;only' $work/out && grep -q 'Counted as $most of $most points, set by hand: you are right' $work/out"
on_book request
check "answer: nothing waits any more" "[ $status -eq 0 ] && grep -q 'no request waits' $work/out"
give json --gradebook "$work/book.db"
check "answer: in the JSON" "json_says '[.students[] | select(.id == \"ben\") | .grades[0].remarks[0] | .text, .author] == [\"you are right\", \"eve\"]' $work/out"
on_book request ann 7 "is it stable?" && on_book answer ann 7 "it is"
check "answer: the same file again, and the grade stays" "grep -q 'answered, and the grade stays' $work/out"
on_book override ben 7 2.5 --reason "shown in the lab" && on_book request ben 7 "and now?" --file link.cu
check "request: after an override a link is no file either" "[ $status -eq 2 ]"
on_book request ben 7 "and now?" --file mended.cu
check "request: after an override, what was given by hand is said beside what the rules make of the run" "[ $status -eq 0 ] && grep -q '^by hand:      2.5 points: shown in the lab$' $work/out && grep -q '^by the rules: $most points, which --accept puts in the place of those by hand$' $work/out"
on_book answer ben 7 "the lab counts" && on_book gradebook --student ben
check "answer: and without a word about points those by hand stay" "grep -q '^07-block-sum-dynamic: 2.5 of $most points' $work/out && grep -q 'because: shown in the lab' $work/out"
on_book gradebook --history
check "request: all of it is kept" "[ \$(grep -c 'asked for another look, by\|answered, by' $work/out) -eq 6 ]"

finish
