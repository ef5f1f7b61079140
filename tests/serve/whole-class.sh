#!/bin/bash
# A class of scripted students in a browser's place: each checks a wrong text and the right one of each lesson, hands in, and in the middle the server is killed
# with kill -9. Then the gradebook agrees with what they were told. STUDENTS and LESSONS say how large it is (make test-served-class: 40 and 3). Ends with
# "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
. tests/serve/serving.bash
. tests/serve/class.bash
if [ ! -f /usr/include/microhttpd.h ]; then
    echo "SKIPPED a whole class in a browser: libmicrohttpd-dev is not installed (make setup-serve installs it)"
    echo "0 passed, 0 failed"
    exit 77
fi
count=${STUDENTS:-6}
mapfile -t lessons < <(ls solutions | head -n "${LESSONS:-1}")
mapfile -t everybody < <(for ((i = 1; i <= count; i++)); do printf 's%03d\n' "$i"; done)
make_class "${everybody[@]}"
start_class || { verdict "the class is served" "the server does not start"; finish; }
class links | tail -n +2 | sed 's,^"\([^"]*\)".*"http://[^/]*\(/enter/[^"]*\)"$,\1 \2,' >"$work/links"
while read -r id link; do cookies[$id]=$(curl -si "$address$link" | sed -n 's/^Set-Cookie: \([^;]*\);.*/\1/p'); done <"$work/links"
rename() { for id in "${everybody[@]}"; do cookies[$id]=warpschool_$port=${cookies[$id]#*=}; done; }

# each WHAT LESSON FILE: every student does that, each with a text of their own.
each() {
    for id in "${everybody[@]}"; do
        { cat "$3"; echo "// $id"; } >"$work/own.cu"
        said=$(send "$id" "$2" "$1" "$work/own.cu")
        [[ $said =~ ^20[02]$ ]] || echo "$id $1 $2: $said"
    done
}
asked=0
for lesson in "${lessons[@]}"; do
    mutant=$(ls "solutions/$lesson/mutants"/*.cu | head -n 1) right=solutions/$lesson/solution.cu
    verdict "$lesson: everybody checks a wrong text" "$(each check "$lesson" "$mutant")"
    if [ "$lesson" = "${lessons[0]}" ]; then
        kill -KILL "$server"
        wait "$server" 2>/dev/null
        start_class || verdict "killed, it starts again" "$(cat "$work/serve.err")"
        rename
    fi
    asked=$((asked + count))
    await_rows "$asked" 'SELECT 1 FROM version WHERE verdict IS NOT NULL'
    verdict "$lesson: everybody hands in the right one" "$(each hand-in "$lesson" "$right")"
    [ "$lesson" != "${lessons[0]}" ] || verdict "$lesson: and the last one checks it" "$(said=$(send "$id" "$lesson" check "$work/own.cu"); [ "$said" = 202 ] || echo "$said")"
    [ "$lesson" != "${lessons[0]}" ] || asked=$((asked + 1))
done
await_rows "$asked" 'SELECT 1 FROM version WHERE verdict IS NOT NULL'
verdict "nobody's check is lost, and none is in doubt" "$([ "$(rows 'SELECT count(*) FROM version WHERE verdict IN ("pass", "fail")')" = $asked ] || rows 'SELECT verdict, count(*) FROM version GROUP BY verdict')"
verdict "in turn: nobody comes twice before somebody else comes once" "$(rows 'SELECT version.student FROM verdict JOIN version ON version.source = verdict.source AND version.lesson = verdict.lesson ORDER BY verdict.rowid LIMIT '"$count" | sort | uniq -d)"
stop_server
"$build/bin/warpschool" --root "$course" grade "$room/submissions" --roster "$room/roster.csv" --gradebook "$room/gradebook.db" --csv "$work/grades.csv" --seed 5 >"$work/grade.log" 2>&1
verdict "the gradebook is about what was handed in, and when" "$(python3 tests/serve/agrees.py "$room/class.db" "$work/grades.csv" 2>&1)"
verdict "and everybody has passed" "$([ "$(grep -c ',pass,' "$work/grades.csv")" = $((count * ${#lessons[@]})) ] || { head -n 3 "$work/grades.csv"; tail -n 3 "$work/grade.log"; })"
finish
