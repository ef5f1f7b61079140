#!/bin/bash
# A class in a browser: who comes in, checks in turn, handing in, the teacher's pages; and whoever means it ill (the rows of tests/cli/attacks.txt that are about
# it). Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
. tests/serve/serving.bash
. tests/serve/class.bash
if [ ! -f /usr/include/microhttpd.h ]; then
    echo "SKIPPED a class in a browser: libmicrohttpd-dev is not installed (make setup-serve installs it)"
    echo "0 passed, 0 failed"
    exit 77
fi
make_class ann bob cy
lesson=01-vector-add right=solutions/01-vector-add/solution.cu wrong=solutions/01-vector-add/mutants/double-free.cu
cat >"$room/course.yaml" <<'END'
id: class
lessons:
  01: {due: 2020-01-01 12:00 Z}
  02: {due: 2020-01-01 12:00 Z}
  03: {due: 2199-01-01 12:00 Z}
extensions:
  - {student: bob, lesson: 01, due: 2999-01-01 12:00 Z, reason: ill}
END
# A mistake in the roster is said, and is nobody's folder.
echo '../eve,Eve,eve@school.example' >>"$room/roster.csv"
start_class -j 1 || { verdict "the class is served" "the server does not start"; finish; }
find_web
holds "an id that is no name of a folder is left out, and said" "$(grep -q 'roster.csv:5: .*cannot be the name of a folder' "$work/serve.err" && ! ls -d "$room/eve" "$work/eve" 2>"$work/none"; echo $?)"

# ---- links ----
class links >"$work/links.csv"
verdict "a link for each of the roster, and the teacher's" "$([ "$(cut -d, -f1 "$work/links.csv" | tr -d '"\n')" = idteacherannbobcy ] || cat "$work/links.csv")"
link=$(link_of ann)
knock() { curl -s --path-as-is -o "$work/answer" -w '%{http_code}' "$address$1"; }
refused() { verdict "$1" "$(for one in "${@:2}"; do said=$(knock "$one"); [[ "$said" =~ ^40[34]$ ]] || echo "$one: $said"; done)"; }
IFS=. read -r number issue end signature <<<"${link#/enter/}"
last=0
[ "${signature: -1}" != 0 ] || last=1
refused "a forged link" "/enter/1.$issue.$end.$signature" "/enter/$number.2.$end.$signature" "/enter/$number.$issue.$((end + 1)).$signature" "/enter/$number.$issue.$end.${signature%?}$last" \
    "/enter/0$number.$issue.$end.$signature" "/enter/+$number.$issue.$end.$signature" "/enter/$number.$issue.$end." "/enter/$number.$issue.$end" "/enter/..$link" "${link}0" "/enter/" "/enter/$number.$issue.$end.$signature/x"
curl -si "$address$link" >"$work/entered"
holds "a link becomes a cookie for no script, which ends in no address" "$(grep -q '^Set-Cookie: .*; HttpOnly; SameSite=Lax' "$work/entered" && grep -q $'^Location: /\r$' "$work/entered"; echo $?)"
for one in ann bob cy teacher; do enter $one; done
says "with the cookie one is let in" 200 ann /
holds "each browser has a cookie of its own" "$(first=${cookies[ann]}; enter ann; [ "$first" != "${cookies[ann]}" ]; echo $?)"
verdict "no cookie, link or secret is on a command line, in an environment, or in what the server says" "$(for process in "$server" "$web"; do tr '\0' '\n' <"/proc/$process/cmdline"; tr '\0' '\n' <"/proc/$process/environ"; cat "$work/serve.out" "$work/serve.err"; done 2>/dev/null | grep -F -e "$signature" -e "${cookies[ann]#*=}")"
verdict "the database has no cookie, only what one is known by" "$(cat "$room"/class.db* | grep -caF "${cookies[ann]#*=}" | grep -v '^0$')"
verdict "the secret and the database are the owner's alone" "$(find "$room/secret" "$room/class.db" "$room/students" "$room/submissions" -maxdepth 0 -perm /077)"

# ---- a check, and another's files ----
as ann "/lessons/$lesson.html" >"$work/status"
holds "a lesson's page says what is due, and that nothing was handed in" "$(grep -q 'Due 2020-01-01 12:00 UTC. Nothing handed in yet.' "$work/answer"; echo $?)"
timeout 600 curl -sN -H "Cookie: ${cookies[bob]}" "$address/lessons/$lesson/events" >"$work/events" &
hears=$!
says "ann saves and checks" 202 ann -X POST -H "Origin: $address" -H "If-Match: $(version_of ann $lesson)" --data-binary "@$wrong" "/lessons/$lesson/check"
says "bob does, too" 202 bob -X POST -H "Origin: $address" -H "If-Match: $(version_of bob $lesson)" --data-binary "@$right" "/lessons/$lesson/check"
await_rows 2 "SELECT 1 FROM version WHERE verdict IS NOT NULL"
verdict "each has a verdict of their own" "$([ "$(rows 'SELECT id, lesson, verdict FROM version JOIN student ON student.number = student ORDER BY id' | tr '\n' ' ')" = "ann|$lesson|fail bob|$lesson|pass " ] || rows 'SELECT * FROM version')"
verdict "while it waits, a page hears its place" "$(for ((i = 0; i < 100; i++)); do ! grep -q 'event: result' "$work/events" || break; sleep 0.1; done; grep -q '"before":0' "$work/events" && grep -q 'event: result' "$work/events" || head -c 300 "$work/events")"
kill "$hears"
holds "one's text is nobody else's" "$(cmp -s "$room/students/ann/work/$lesson.cu" "$wrong" && cmp -s "$room/students/bob/work/$lesson.cu" "$right" && as ann "/lessons/$lesson/source" >/dev/null && cmp -s "$work/answer" "$wrong"; echo $?)"
holds "nor is the verdict" "$(as cy "/lessons/$lesson.html" >/dev/null && ! grep -q 'class="verdict' "$work/answer"; echo $?)"
refused "no address leads to another's file" /students/bob/work/$lesson.cu /../room/students/bob/work/$lesson.cu
for path in /students/bob/work/$lesson.cu /../students/bob/work/$lesson.cu /class/students/../../class.db /class/versions/1/../2.html /class/versions/-1.html /class/versions/1e0.html /class.db /secret /submissions/bob/$lesson.cu; do
    says "path: $path" 404 teacher "$path"
done

# ---- the same text again ----
says "cy checks what bob has checked" 202 cy -X POST -H "Origin: $address" -H "If-Match: $(version_of cy $lesson)" --data-binary "@$right" "/lessons/$lesson/check"
await_rows 3 "SELECT 1 FROM version WHERE verdict IS NOT NULL"
verdict "it was judged once, and both have passed" "$([ "$(rows 'SELECT (SELECT count(*) FROM verdict), (SELECT count(*) FROM version WHERE verdict = "pass")')" = '2|2' ] && grep -q "^passed $lesson" "$room/students/cy/work/.progress" || rows 'SELECT * FROM version')"

# ---- handing in ----
handed() { class export "$1" | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["handed"]))'; }
says "ann hands in" 200 ann -X POST -H "Origin: $address" -H "If-Match: $(version_of ann $lesson)" --data-binary "@$right" "/lessons/$lesson/hand-in"
holds "and reads that it is late" "$(grep -q 'Handed in at .*, which is late\.' "$work/answer"; echo $?)"
starts=starter/$lesson.cu
printf ' \n\t\n' >"$work/blank.cu"
sed 's/$/ /' "$starts" >"$work/starter.cu"
says "an empty file" 200 cy -X POST -H "Origin: $address" -H "If-Match: $(version_of cy $lesson)" --data-binary "@$work/blank.cu" "/lessons/$lesson/hand-in"
holds "is not handed in, and that is said" "$(grep -q 'Nothing was handed in: the file is empty\. .* brings the starter\.$' "$work/answer" && [ "$(handed cy)" = 0 ]; echo $?)"
says "nor is the starter" 200 ann -X POST -H "Origin: $address" -H "If-Match: $(version_of ann $lesson)" --data-binary "@$work/starter.cu" "/lessons/$lesson/hand-in"
holds "and what was handed in before stays" "$(grep -q 'still the starter, .* before still counts\.$' "$work/answer" && [ "$(handed ann)" = 1 ]; echo $?)"
send ann $lesson hand-in "$right" >"$work/none"
says "bob has an extension" 200 bob -X POST -H "Origin: $address" -H "If-Match: $(version_of bob $lesson)" --data-binary "@$right" "/lessons/$lesson/hand-in"
holds "and is in time" "$(grep -q 'Handed in at [^,]*\.$' "$work/answer"; echo $?)"
old=$(version_of ann $lesson)
says "a hand-in that is sent again" 200 ann -X POST -H "Origin: $address" -H "If-Match: $old" --data-binary "@$right" "/lessons/$lesson/hand-in"
verdict "a replayed hand-in is none" "$(grep -q 'This very text was handed in' "$work/answer" && [ "$(handed ann)" = 1 ] && [ "$(ls "$room/submissions/ann")" = "$lesson.cu" ] || ls "$room/submissions/ann")"
says "ann hands in another text" 200 ann -X POST -H "Origin: $address" -H "If-Match: $old" --data-binary "@$wrong" "/lessons/$lesson/hand-in"
says "the first one, replayed, is about an older file" 409 ann -X POST -H "Origin: $address" -H "If-Match: $old" --data-binary "@$right" "/lessons/$lesson/hand-in"
verdict "each hand-in is a file of its own" "$([ "$(ls "$room/submissions/ann" | tr '\n' ,)" = "$lesson (2).cu,$lesson.cu," ] && cmp "$room/submissions/ann/$lesson (2).cu" "$wrong" || ls "$room/submissions/ann")"
says "a lesson that does not count" 200 cy -X POST -H "Origin: $address" -H "If-Match: $(version_of cy 05-matrix-2d)" --data-binary "@$right" /lessons/05-matrix-2d/hand-in
holds "is not handed in" "$(grep -q 'not one to hand in' "$work/answer" && [ ! -e "$room/submissions/cy" ]; echo $?)"
"$build/bin/warpschool" --root "$course" grade "$room/submissions" --roster "$room/roster.csv" --course "$room/course.yaml" --gradebook "$room/gradebook.db" --csv "$work/grades.csv" --seed 5 >"$work/grade.log" 2>&1
verdict "grade takes the folder as it is: the last counts, who is late, and the times" "$(python3 tests/serve/agrees.py "$room/class.db" "$work/grades.csv" 2>&1; tail -n 3 "$work/grade.log" | grep -i error)"
says "no feedback before it is released" 404 bob /feedback.html
"$build/bin/warpschool" --root "$course" export feedback --gradebook "$room/gradebook.db" --course "$room/course.yaml" -o "$room/feedback/" >"$work/export.log" 2>&1
says "released feedback is on the student's page" 200 bob /feedback.html
holds "and is about that student alone" "$(grep -q 'Name of &lt;b&gt;bob&lt;/b&gt;' "$work/answer" && ! grep -qE 'ann@|&lt;b&gt;ann|<b>bob' "$work/answer"; echo $?)"

# ---- the teacher ----
# ragged: tables of the answer whose rows have not all as many cells.
ragged() { python3 -c 'import re, sys
for table in re.findall("(?s)<table.*?</table>", open(sys.argv[1]).read()) or ["there is none"]:
    if len({len(re.findall("<t[hd][ >]", row)) for row in re.findall("(?s)<tr.*?</tr>", table)}) != 1: print(table[:600])' "$work/answer"; }
as teacher /class.html >/dev/null
holds "the teacher sees who is where, and no names beside findings" "$(grep -q '/class/students/.*Name of &lt;b&gt;cy&lt;/b&gt;' "$work/answer" && python3 -c 'import sys; page = open(sys.argv[1]).read(); heat = page[page.index("What holds how many"):page.index("Words to the class")]; sys.exit("Name of" in heat or "api-misuse" not in heat)' "$work/answer"; echo $?)"
version=$(rows 'SELECT number FROM version WHERE verdict = "fail" LIMIT 1') student=$(rows 'SELECT number FROM student WHERE id = "ann"')
says "the teacher reads a version" 200 teacher "/class/versions/$version.html"
says "a student's versions" 200 teacher "/class/students/$student.html"
verdict "in a table whose rows have a cell below each head" "$(ragged)"
says "whom a lesson holds" 200 teacher "/class/lessons/$lesson.html"
holds "by name" "$(grep -q 'Name of &lt;b&gt;ann' "$work/answer"; echo $?)"
says "the table" 200 teacher /class.csv
says "words to one" 303 teacher -X POST -H "Origin: $address" --data-urlencode 'words=<script>alert(1)</script> look at line 3' -d "to=$student" /class/message
as ann "/lessons/$lesson.html" >/dev/null
holds "are read as they were written" "$(grep -q '&lt;script>alert(1)\|&lt;script&gt;alert(1)' "$work/answer" && ! grep -q '<script>alert' "$work/answer"; echo $?)"
holds "and by nobody else" "$(as bob "/lessons/$lesson.html" >/dev/null && ! grep -q 'look at line 3' "$work/answer"; echo $?)"
says "words to all, right after" 303 teacher -X POST -H "Origin: $address" -d 'to=all&words=we+meet+at+ten' /class/message
as ann "/lessons/$lesson.html" >/dev/null
holds "hide none of before" "$(grep -q 'look at line 3' "$work/answer" && grep -q 'we meet at ten' "$work/answer"; echo $?)"
says "one's own page" 200 ann /own.html
holds "has what was checked and handed in, and the words" "$(grep -q 'api-misuse' "$work/answer" && grep -q 'look at line 3' "$work/answer"; echo $?)"

# ---- a crowd beside somebody who learns: without a session, and with one ----
crowd=${CROWD:-800} crowd_seconds=${CROWD_SECONDS:-3}
verdict "a crowd of connections, one of them a student's ($crowd), and somebody who learns beside it" "$(python3 tests/serve/hostile.py "$port" "$crowd" "$crowd_seconds" 02-launch-grid "${cookies[ann]}" "${cookies[cy]}" 2>&1 | tee -a "${CROWD_SAYS:-/dev/null}" | grep -v '^#')"
holds "and the process that speaks HTTP stays small" "$([ "$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$web/status")" -lt 200000 ]; echo $?)"
bob=$(rows 'SELECT number FROM student WHERE id = "bob"')
says "long words to one" 303 teacher -X POST -H "Origin: $address" -d "to=$bob&words=$(printf 'a%.0s' {1..15000})" /class/message
verdict "streams that nobody reads end, and others take their places" "$(python3 tests/serve/deaf.py "$port" "$lesson" "${cookies[bob]}" 2>&1)"

# ---- each address of a class ----
while read -r method pattern needs most; do
    path=${pattern/\{lesson\}/$lesson} path=${path/\{number\}/$version} path=${path/\{file\}/1.1.1.0} row="$method $pattern"
    said=$(curl -s -o /dev/null -w '%{http_code}' -X "$method" -H "Origin: $address" "$address$path")
    without=403
    [[ $needs != OPEN && $needs != LAUNCH ]] || without=404 # where no platform is registered, there is no such address
    verdict "$row: not without the cookie" "$([ "$said" = $without ] || echo "$said")"
    [[ $needs != LOOK && $needs != TEACH ]] || says "$row: not for a student" 404 ann -X "$method" -H "Origin: $address" "$path"
    says "$row: not by another name" 421 teacher -X "$method" -H "Host: evil.example:$port" -H "Origin: http://evil.example:$port" "$path"
    says "$row: not for another origin" $without teacher -X "$method" -H "Origin: http://evil.example" "$path"
    says "$row: not with a body of 1 GB" 413 teacher -X "$method" -H "Origin: $address" -H 'Content-Length: 1073741824' "$path"
    [[ $needs != CHANGE && $needs != TEACH ]] || says "$row: not without an origin" 403 teacher -X "$method" "$path"
done <<<"$(sed -n 's/^CLASS_ROUTE([A-Z_]*, [a-z_]*, "\([A-Z]*\)", "\([^"]*\)", \([A-Z]*\), \([^,]*\),.*/\1 \2 \3 \4/p' serve/routes.def)"

# ---- two servers; killed ----
said=$(timeout 200 "$build/bin/warpschool" --root "$course" serve --class "$room" --port 0 2>&1)
holds "two servers on one folder: $said" "$([ $? -ne 0 ] && grep -q 'another server has the class' <<<"$said"; echo $?)"
last=$(rows 'SELECT max(number) FROM version')
for one in ann bob cy; do
    { cat "$right"; echo "// $one"; } >"$work/$one.cu"
    send $one $lesson check "$work/$one.cu" >/dev/null
done
send cy $lesson hand-in "$work/cy.cu" >/dev/null
kill -KILL "$server"
wait "$server" 2>/dev/null
rm "$room/submissions/cy/$lesson.cu" # as if the power had gone before the file was on the disk
cp -r "$room" "$work/copy"
"$build/bin/warpschool" --root "$course" serve --class "$work/copy" --port 0 >"$work/copy.out" 2>"$work/copy.err" &
copy=$!
while kill -0 "$copy" 2>/dev/null && ! grep -q 'served at' "$work/copy.out"; do sleep 0.1; done
kill -INT "$copy"
wait "$copy"
start_class -j 1 || verdict "it starts again" "$(cat "$work/serve.err")"
holds "a copy of the folder says that it may be one, and the folder itself does not" "$(grep -q 'was served elsewhere before' "$work/copy.err" && ! grep -q elsewhere "$work/serve.err"; echo $?)"
await_rows 3 "SELECT 1 FROM version WHERE verdict IS NOT NULL AND number > $last"
verdict "killed, it goes on with the checks that waited" "$([ "$(rows "SELECT count(*) FROM version WHERE number > $last AND verdict = 'pass'")" = 3 ] || rows 'SELECT * FROM version')"
holds "killed, nothing that was handed in is lost" "$(cmp -s "$room/submissions/cy/$lesson.cu" "$work/cy.cu"; echo $?)"
cookies[ann]=${cookies[ann]/_*=/_$port=}
says "a session goes on" 200 ann "/lessons/$lesson.html"
holds "and the last verdict is on its page" "$(grep -q 'class="verdict pass' "$work/answer"; echo $?)"

# ---- the second that is due, and the one after it: the next hand-in is later than the last ----
send ann 03-grid-stride hand-in "$right" >/dev/null
rows "UPDATE handed SET at = $(date -ud '2199-01-01 12:00' +%s) WHERE lesson = '03-grid-stride'"
as ann /lessons/03-grid-stride.html >/dev/null
holds "what comes in the second that is due is in time" "$(grep -q 'Handed in at 2199-01-01 12:00 UTC\.' "$work/answer"; echo $?)"
send ann 03-grid-stride hand-in "$wrong" >/dev/null
holds "a second after, it is late" "$(grep -q 'Handed in at 2199-01-01 12:00 UTC, which is late\.' "$work/answer"; echo $?)"

# ---- withdrawn, renewed, left ----
link=$(link_of ann)
class withdraw ann >/dev/null
says "withdrawn: the session has ended" 403 ann /
refused "withdrawn: the link is void" "$link"
class renew ann >/dev/null
refused "renewed: the old link stays void" "$link"
says "renewed: so does the old session" 403 ann /
enter ann
says "renewed: the new link is good" 200 ann /
says "whoever leaves" 303 ann -X POST -H "Origin: $address" /leave
says "is out" 403 ann /

# ---- one student's data ----
enter cy
says "what is answered on a page is kept" 200 cy -X PUT -H "Origin: $address" --data-binary '{"predict": "B", "question-1": "so \u2713"}' "/lessons/$lesson/answers"
class export cy >"$work/cy.json"
verdict "with what was answered on pages, and the files as they are" "$(python3 -c 'import json, sys; all = json.load(open(sys.argv[1])); assert all["answers"] == {"01-vector-add": {"predict": "B", "question-1": "so \u2713"}}, all["answers"]; files = {file["name"]: file["text"] for file in all["files"]}; assert "// cy" in files["01-vector-add.cu"] and "passed 01" in files[".progress"], files.keys()' "$work/cy.json" 2>&1)"
verdict "what there is of one student, and of nobody else" "$(python3 -c 'import json, sys; all = json.load(open(sys.argv[1])); assert len(all["versions"]) == 2 and len(all["handed"]) == 1 and "// cy" in all["handed"][0]["text"]; assert "// ann" not in str(all) and "bob" not in str(all)' "$work/cy.json" 2>&1)"
class forget cy >/dev/null
holds "nobody is forgotten beside a server, which may write down what is deleted" "$([ $? -eq 2 ] && grep -q 'end that one first' "$work/class.err" && [ -d "$room/students/cy" ]; echo $?)"
stop_server
holds "Ctrl-C ends it well" "$([ $? -eq 0 ] && grep -q 'handed in is in' "$work/serve.out"; echo $?)"
class forget cy >/dev/null
verdict "forgotten: nothing is left" "$(ls -d "$room"/*/cy 2>/dev/null; grep -rlF question-1 "$room"; cat "$room"/class.db* | grep -acF '// cy' | grep -v '^0$')"
start_class
cookies[cy]=warpschool_$port=${cookies[cy]#*=} # as of this server
says "forgotten: nobody comes in by that name" 403 cy /
stop_server

# ---- the name by a proxy's header ----
said=$(timeout 200 "$build/bin/warpschool" --root "$course" serve --class "$room" --port 0 --user-header X-User 2>&1)
holds "a header that anybody could write: $said" "$([ $? -eq 2 ] && grep -q 'anybody on this machine' <<<"$said"; echo $?)"
named() { curl -s -o "$work/answer" -w '%{http_code}' --max-time 20 "$@"; }
start_class --user-header X-User --proxy 10.9.8.7
verdict "the header counts from no other address" "$(said=$(named -H 'X-User: ann' "$address/"); [ "$said" = 403 ] || echo "$said")"
stop_server
echo 'dee,ann,ann@school.example' >>"$room/roster.csv"
start_class --user-header X-User --proxy 127.0.0.1 --host class.example
holds "an address of two students is said" "$(grep -q 'have the e-mail address of others, by which nobody is found: line 6 (as line 2)' "$work/serve.err"; echo $?)"
verdict "and lets neither in" "$(said=$(named -H 'Host: class.example' -H 'X-User: ann@school.example' "$address/own.html"); [ "$said" = 403 ] || echo "$said")"
verdict "from the address that is listed, it does" "$(said=$(named -H 'Host: class.example' -H 'X-User: BOB@school.example' "$address/own.html"); [ "$said" = 200 ] && grep -q "$lesson" "$work/answer" || echo "$said")"
"$build/bin/warpschool" --root "$course" class "$room" withdraw bob >/dev/null 2>&1
verdict "who is withdrawn is out at once, though the proxy names him" "$(said=$(named -H 'Host: class.example' -H 'X-User: bob' "$address/own.html"); [ "$said" = 403 ] || echo "$said")"
"$build/bin/warpschool" --root "$course" class "$room" renew bob >/dev/null 2>&1
verdict "and in again once the link is renewed" "$(said=$(named -H 'Host: class.example' -H 'X-User: bob' "$address/own.html"); [ "$said" = 200 ] || echo "$said")"
verdict "nobody is the teacher by name, or a stranger, or two" "$(for one in teacher eve ann,bob '' "$(printf 'a%.0s' {1..200})"; do said=$(named -H "X-User: $one" "$address/"); [ "$said" = 403 ] || echo "$one: $said"; done; said=$(named -H 'X-User: ann' -H 'X-User: bob' "$address/"); [ "$said" = 400 ] || echo "$said")"
stop_server
: >"$work/serve.out"
"$build/bin/warpschool" --root "$course" serve --class "$room" --socket "$work/socket" --user-header X-User >"$work/serve.out" 2>"$work/serve.err" &
server=$!
for ((tries = 0; tries < 300; tries++)); do ! grep -q socket "$work/serve.out" || break; sleep 0.1; done
verdict "over a socket of a file, it does; which is for its owner and group" "$(said=$(named --unix-socket "$work/socket" -H 'X-User: ann' http://localhost:0/own.html); [ "$said" = 200 ] || echo "$said"; find "$work/socket" -perm /007)"
stop_server

# ---- a full disk, and a clock that jumps ----
: >"$work/serve.out"
trap '' XFSZ
(ulimit -f 900 && exec "$build/bin/warpschool" --root "$course" serve --class "$room" --port 0 >"$work/serve.out" 2>"$work/serve.err") &
trap - XFSZ
server=$!
for ((tries = 0; tries < 300; tries++)); do address=$(sed -n 's,^.* served at  \(http://[0-9.:]*\)/ .*,\1,p' "$work/serve.out"); [ -z "$address" ] || break; sleep 0.1; done
port=${address##*:}
enter bob
{ cat "$right"; head -c 900000 /dev/zero | tr '\0' '\n'; } >"$work/large.cu"
as bob -X POST -H "Origin: $address" -H "If-Match: $(version_of bob $lesson)" --data-binary "@$work/large.cu" "/lessons/$lesson/hand-in" >"$work/status"
holds "a full disk is said to the student and at the terminal" "$(grep -q 'disk is full\|cannot be written' "$work/answer" && { grep -q 'Nothing was handed in' "$work/answer" || [ "$(cat "$work/status")" = 500 ]; }; echo $?)"
says "and the next page is served" 200 bob "/lessons/$lesson.html"
holds "and what was handed in before is there" "$(cmp -s "$room/submissions/bob/$lesson.cu" "$right"; echo $?)"
enter teacher
as teacher /class.html >/dev/null
holds "a disk with room is no word for the teacher's page" "$(! grep -q 'are free on the disk' "$work/answer"; echo $?)"
stop_server
# The class's folder on a disk of 32 MB: a file system in memory, which the server's process alone sees.
whole=$room room=$work/small
mkdir "$room" && cp "$whole/secret" "$whole/roster.csv" "$whole/class.db" "$room"
own=(unshare -rm)
[ "$(id -u)" != 0 ] || own=(unshare -m)
within=("${own[@]}" sh -c 'mount -t tmpfs -o size=32m small "$1" && cp -a "$0/." "$1" && shift && exec "$@"' "$whole" "$room")
start_class
within=()
enter teacher
as teacher /class.html >/dev/null
holds "a disk that gets full is said on the teacher's page" "$(grep -qE 'Only [0-9]+ MB are free on the disk' "$work/answer"; echo $?)"
stop_server
room=$whole
if [[ $build != */asan ]] && cc -shared -fPIC -o "$work/clock.so" tests/serve/clock.c -ldl 2>"$work/cc.log"; then
    echo 0 >"$work/clock"
    CLOCK_FILE=$work/clock LD_PRELOAD=$work/clock.so start_class
    enter bob
    send bob 02-launch-grid hand-in "$right" >/dev/null
    echo 40000000 >"$work/clock"
    for ((tries = 0; tries < 100; tries++)); do ! grep -q 'was set' "$work/serve.err" || break; sleep 0.1; done
    holds "a clock that jumps is said" "$(grep -qE 'clock of this machine was set (39|40),[0-9]{3},[0-9]{3} seconds ahead' "$work/serve.err"; echo $?)"
    says "a session and a link are over then" 403 bob /
    echo -7200 >"$work/clock"
    says "and good again when it is set right" 200 bob "/lessons/$lesson.html"
    send bob 02-launch-grid hand-in "$wrong" >/dev/null
    verdict "a later hand-in is later, whatever the clock says" "$([ "$room/submissions/bob/02-launch-grid (2).cu" -nt "$room/submissions/bob/02-launch-grid.cu" ] || ls -l --full-time "$room/submissions/bob")"
    enter teacher
    as teacher /class.html >/dev/null
    holds "and the teacher's page says that the clock was set" "$(grep -q 'clock of this machine was set' "$work/answer"; echo $?)"
    stop_server
fi
finish
