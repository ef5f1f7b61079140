#!/bin/bash
# The course in a browser against whoever means it ill: each address of routes.def with each kind of request that must be refused, and the rows of
# tests/cli/attacks.txt that are about it. And how it begins and ends. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
. tests/serve/serving.bash
if [ ! -f /usr/include/microhttpd.h ]; then
    echo "SKIPPED attacks on serve: libmicrohttpd-dev is not installed (make setup-serve installs it)"
    echo "0 passed, 0 failed"
    exit 77
fi
make_course
start_server || { verdict "a right key" "the server does not start"; finish; }
port=${address##*:} lesson=01-vector-add
cookie=$(curl -si "$address/?key=$key" | sed -n 's/^Set-Cookie: \([^;]*\);.*/\1/p')
find_web

# ask OPTIONS... PATH: the status of an answer to somebody who was let in; the answer is in $work/answer.
ask() { curl -s --max-time 20 --path-as-is -o "$work/answer" -w '%{http_code}' -H "Cookie: $cookie" "${@:1:$#-1}" "$address${*: -1}"; }
# gives NAME STATUS OPTIONS... PATH
gives() {
    local said
    said=$(ask "${@:3}")
    verdict "$1" "$([[ "$said" =~ ^($2)$ ]] || echo "$said: $(head -c 200 "$work/answer")")"
}
# connect WORDS: opens 7 and sends them as they are, in one piece: of several, one after the answer would find nobody.
connect() {
    exec 7<>"/dev/tcp/127.0.0.1/$port" || return
    printf "$1" >"$work/words.$BASHPID"
    cat "$work/words.$BASHPID" >&7
}
# raw WORDS: prints the first line of what comes back within three seconds.
raw() {
    connect "$1" || return
    timeout 3 head -n 1 <&7
    exec 7>&-
}

# Connections that never say all they have to say: they run beside everything else, and are looked at later.
(
    exec 5<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET / HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n' "$port" >&5
    timeout 200 cat <&5 >/dev/null
    echo "$?" >"$work/slow-head"
) &
(
    trap '' PIPE
    exec 5<>"/dev/tcp/127.0.0.1/$port"
    printf 'PUT /lessons/%s/source HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nOrigin: %s\r\nCookie: %s\r\nContent-Length: 900\r\n\r\n' "$lesson" "$port" "$address" "$cookie" >&5
    for ((i = 0; i < 25; i++)); do printf x >&5 || break; sleep 1; done 2>/dev/null
    echo "$i" >"$work/slow-body"
) &

# ---- each address ----
routes=$(sed -n 's/^ROUTE([A-Z]*, [a-z_]*, "\([A-Z]*\)", "\([^"]*\)", \([A-Z]*\), \([^,]*\),.*/\1 \2 \3 \4/p' serve/routes.def)
holds "there are addresses" "$([ "$(wc -l <<<"$routes")" -ge 15 ]; echo $?)"
while read -r method pattern right most; do
    path=${pattern/\{lesson\}/$lesson} path=${path/\{file\}/style.css} row="$method $pattern"
    verdict "$row: not without the cookie" "$(said=$(curl -s -o /dev/null -w '%{http_code}' -X "$method" -H "Origin: $address" "$address$path"); [ "$said" = 403 ] || echo "$said")"
    verdict "$row: not with another cookie" "$(said=$(curl -s -o /dev/null -w '%{http_code}' -X "$method" -H "Origin: $address" -H "Cookie: ${cookie%?}_" "$address$path"); [ "$said" = 403 ] || echo "$said")"
    gives "$row: not by another name" 421 -X "$method" -H "Host: evil.example:$port" -H "Origin: http://evil.example:$port" "$path"
    gives "$row: not for another origin" 403 -X "$method" -H "Origin: http://evil.example" "$path"
    gives "$row: not for a page of another port" 403 -X "$method" -H "Origin: http://127.0.0.1:1" "$path"
    gives "$row: not for a page that hides its origin" 403 -X "$method" -H "Origin: null" "$path"
    gives "$row: not for another page's script" 403 -X "$method" -H "Origin: $address" -H 'Sec-Fetch-Site: same-site' -H 'Sec-Fetch-Mode: no-cors' "$path"
    gives "$row: not by another method" '405|404' -X DELETE -H "Origin: $address" "$path"
    gives "$row: not with a body of 1 GB" 413 -X "$method" -H "Origin: $address" -H 'Content-Length: 1073741824' "$path"
    [ "$right" = READ ] || gives "$row: not without an origin" 403 -X "$method" "$path"
done <<<"$routes"

verdict "there is no class where one learns" "$(for path in $(sed -n 's/^CLASS_ROUTE([A-Z_]*, [a-z_]*, "GET", "\([^"]*\)".*/\1/p' serve/routes.def | sed "s/{lesson}/$lesson/; s/{[a-z]*}/1/"); do said=$(ask "$path"); [ "$said" = 404 ] || echo "$path: $said"; done)"

# ---- who is let in ----
gives "a right key: a learner with the cookie is let in" 200 /
verdict "a wrong key" "$(for wrong in "${key%?}" "${key}0" "${key^^}x" ''; do said=$(curl -s -o /dev/null -w '%{http_code}' "$address/?key=$wrong"); [ "$said" = 403 ] || echo "$wrong: $said"; done)"
curl -si "$address/?key=$key" >"$work/entered"
holds "the cookie is for no script and no other site" "$(grep -q '^Set-Cookie: .*; HttpOnly; SameSite=Strict' "$work/entered"; echo $?)"
holds "the key is in no address after the first request" "$(grep -q $'^Location: /\r$' "$work/entered"; echo $?)"
holds "nor is it what the cookie says" "$([[ "$cookie" != *"$key"* ]]; echo $?)"
verdict "the key opens no other address" "$(said=$(curl -s -o /dev/null -w '%{http_code}' "$address/lessons/$lesson.html?key=$key"); [ "$said" = 403 ] || echo "$said")"
verdict "no secret is on a command line or in an environment" "$(for process in "$server" "$web"; do tr '\0' '\n' <"/proc/$process/cmdline"; tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null; done | grep -F -e "$key" -e "${cookie#*=}")"
# The kernel's tables of sockets: 0A is one that listens, 0100007F is 127.0.0.1.
listens=$(awk -v at=":$(printf %04X "$port")\$" '$4 == "0A" && $2 ~ at { sub(/:.*/, "", $2); print $2 }' /proc/net/tcp /proc/net/tcp6)
verdict "it listens on this machine's own address alone" "$([ "$listens" = 0100007F ] || echo "at: $listens")"
verdict "an HTTP/1.0 request without a name" "$(said=$(raw 'GET / HTTP/1.0\r\n\r\n'); [[ "$said" == *421* ]] || echo "$said")"
verdict "two names" "$(said=$(raw "GET / HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nHost: evil.example\r\nCookie: $cookie\r\n\r\n"); [[ "$said" == *400* ]] || echo "$said")"
verdict "two lengths" "$(said=$(raw "PUT /lessons/$lesson/source HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nOrigin: $address\r\nCookie: $cookie\r\nContent-Length: 1\r\nContent-Length: 5\r\n\r\nabcde"); [[ "$said" == *400* ]] || echo "$said")"
gives "a link from elsewhere may open a page" 200 -H 'Sec-Fetch-Site: cross-site' -H 'Sec-Fetch-Mode: navigate' /

# ---- paths ----
mkdir -p "$course/work"
for path in /../../../../etc/passwd /%2e%2e/%2e%2e/etc/passwd /lessons/../../../etc/passwd //etc/passwd /.git/config /lessons/%2e%2e/source /lessons/$lesson/../../work/.progress \
    /serve/../bin/warpschool /serve/..%2fbin/warpschool /lessons/$lesson%00.html '/lessons\..\x' /work/$lesson.cu /lessons/..-x/source /index.html/ /lessons/$lesson/hidden.def; do
    gives "path: $path" 404 "$path"
done
gives "path: a lesson that there is not" 404 /lessons/99-none/source
gives "path: one of 10,000 letters" '404|414|431' "/$(printf 'a%.0s' {1..10000})"
gives "path: a query of 500 parts" 414 "/?$(printf 'a=1&%.0s' {1..500})"
gives "path: and one that fills what a connection has" 414 "/?$(printf 'a%.0s' {1..32300})"
gives "headers of 60 kB" 431 -H "X-Long: $(printf 'a%.0s' {1..60000})" /
# Cookies are by host and not by port, so those of every other server on this machine come along. ask sends its own beside them, which would be a second header.
jar() { printf 'c%d=value; ' $(seq "$1"); }
# jarful NAME STATUS COUNT
jarful() { verdict "$1" "$(said=$(curl -s -o "$work/answer" -w '%{http_code}' -H "Cookie: $(jar "$3")$cookie" "$address/"); [ "$said" = "$2" ] || echo "$said")"; }
jarful "as many cookies as browsers keep, twice" 200 400
jarful "700 cookies are refused, and not cut off" 431 700
holds "700 cookies are refused: with what to do" "$(grep -q "Delete this address's cookies" "$work/answer"; echo $?)"
gives "and the next request is answered" 200 /

# ---- methods, parts, and more than one request ----
gives "a method that an address does not have" 405 -X OPTIONS /
gives "a method that there is not" 405 -X FROBNICATE /
verdict "what it is there for is said" "$(curl -si -X OPTIONS -H "Cookie: $cookie" "$address/lessons/$lesson/source" | tr -d '\r' | grep -qx 'Allow: GET, HEAD, PUT' || echo "no such header")"
gives "a part of a page: it comes whole" 200 -H 'Range: bytes=0-3' /
holds "a part of a page: and is the page" "$([ "$(wc -c <"$work/answer")" -gt 100 ]; echo $?)"
# whole WORDS: prints all that comes back until the connection ends.
whole() {
    connect "$1" || return
    timeout 9 cat <&7 | tr -d '\r'
    exec 7>&-
}
put="PUT /lessons/$lesson/source HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nOrigin: $address\r\nCookie: $cookie\r\nConnection: close\r\n"
get="GET /progress.js HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nCookie: $cookie\r\n"
verdict "of a stream that is only asked after, nothing follows" "$(whole "${get/GET \/progress.js/HEAD \/lessons\/$lesson\/events}\r\n$get"'Connection: close\r\n\r\n' | sed -n '/^$/,$p' | sed -n 2p | grep -qx 'HTTP/1.1 200 OK' || echo "there is more after it")"
verdict "three requests at once have three answers" "$([ "$(whole "$get\r\n$get\r\n$get"'Connection: close\r\n\r\n' | grep -c '^HTTP/1.1 200')" = 3 ] || echo "they have not")"
answers=$(whole "${put/Origin: /X-Origin: }Content-Length: 500\r\n\r\n$get\r\n" | grep -o '^HTTP/1.1 ...')
verdict "a request in the body of a refused one is none" "$([ "$answers" = "HTTP/1.1 403" ] || echo "answered: ${answers:-nothing}")"
verdict "a coding that is not known" "$(said=$(raw "${put}Transfer-Encoding: gzip\r\n\r\nabc"); [[ "$said" == *400* ]] || echo "$said")"
verdict "a coding twice" "$(said=$(raw "${put}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n3\r\nabc\r\n0\r\n\r\n"); [[ "$said" == *400* ]] || echo "$said")"
verdict "in pieces, and of a length" "$(said=$(raw "${put}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n3\r\nabc\r\n0\r\n\r\n"); [[ "$said" == *400* ]] || echo "$said")"
verdict "a body that is announced is waited for" "$(said=$(raw "${put}If-Match: \"0123456789abcdef\"\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"); [[ "$said" == *"100 Continue"* ]] || echo "$said")"
verdict "and refused before it is sent, where it is too large" "$(said=$(raw "${put}Expect: 100-continue\r\nContent-Length: 500000000\r\n\r\n"); [[ "$said" == *413* ]] || echo "$said")"

# ---- bodies ----
verdict "a body in pieces, without an end" "$(said=$(head -c "${CROWD_BODY:-8000000}" /dev/zero | curl -s -o /dev/null -w '%{http_code}' -T - -H 'Transfer-Encoding: chunked' -H 'Expect:' -H "Cookie: $cookie" -H "Origin: $address" -X PUT "$address/lessons/$lesson/source"); [[ "$said" =~ ^(413|000)$ ]] || echo "$said")"
gives "a text for another version of the file" 409 -X PUT -H "Origin: $address" -H 'If-Match: "0123456789abcdef"' --data-binary 'int x;' "/lessons/$lesson/source"
gives "a version that is none" 409 -X PUT -H "Origin: $address" -H 'If-Match: *' --data-binary 'int x;' "/lessons/$lesson/source"
holds "the file is as it was" "$(cmp -s "starter/$lesson.cu" "$course/work/$lesson.cu"; echo $?)"
gives "answers that are no object" 400 -X PUT -H "Origin: $address" --data-binary '[1]' "/lessons/$lesson/answers"
gives "answers of 17 kB" 413 -X PUT -H "Origin: $address" --data-binary "{\"a\": \"$(printf 'x%.0s' {1..17000})\"}" "/lessons/$lesson/answers"
holds "the limit that is told is that of answers" "$(grep -q ': 16,384 bytes at most' "$work/answer"; echo $?)"
gives "answers that go too deep" 400 -X PUT -H "Origin: $address" --data-binary "$(printf '{"a":%.0s' {1..500})1$(printf '}%.0s' {1..500})" "/lessons/$lesson/answers"
ln -s /etc/passwd "$course/work/02-launch-grid.cu"
gives "a file that is a link" 500 /lessons/02-launch-grid/source
holds "it tells nothing of where the link leads" "$(! grep -q root: "$work/answer"; echo $?)"
rm "$course/work/02-launch-grid.cu"

# ---- HTML in what others write ----
cat >"$work/html.cu" <<'END'
#include <cstdio>
// </textarea><script>alert("source")</script>
__global__ void vector_add_kernel(float *z, const float *x, const float *y, int n) {}
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) { printf("<img src=x onerror=alert(1)></pre><script>"); }
END
# check_form FILE: as the page does without JavaScript, and leaves the page with the verdict in $work/answer.
check_form() {
    ask -H "Origin: $address" -d "version=$(ask "/lessons/$lesson/source" >/dev/null; curl -si -H "Cookie: $cookie" "$address/lessons/$lesson/source" | sed -n 's/^ETag: "\(.*\)".*/\1/p')" -d do=check \
        --data-urlencode "source@$1" "/lessons/$lesson/form" >/dev/null
    ask "/lessons/$lesson.html" >/dev/null
}
check_form "$work/html.cu"
holds "HTML in a source and in what it prints is text" "$(grep -q '&lt;img src=x' "$work/answer" && grep -q '&lt;/textarea>' "$work/answer" && ! grep -qE '<img src=x|<script>alert' "$work/answer"; echo $?)"
holds "and the file says what was sent" "$(cmp -s "$work/html.cu" "$course/work/$lesson.cu"; echo $?)"
echo 'int broken = ;' >"$work/broken.cu"
check_form "$work/broken.cu"
holds "a finding of the first line leads there" "$(grep -q 'data-line="1"' "$work/answer"; echo $?)"
check_form solutions/$lesson/mutants/minus.cu
holds "what is worked out by hand has lines of its own" "$(grep -q '^<p>By hand\|By hand, in the case.*:</p>' "$work/answer" && grep -qE '^(<pre>)?(.*<pre>)? *in blocks of 256, element 0 belongs' "$work/answer"; echo $?)"
curl -si -H "Cookie: $cookie" "$address/lessons/$lesson.html" >"$work/answer"
holds "no page runs a script of its own text" "$(grep -qE "^Content-Security-Policy: default-src 'none'; script-src 'self'; .*frame-ancestors 'self'" "$work/answer"; echo $?)"

# ---- the process that speaks HTTP ----
status() { sed -n "s/^$1:[[:space:]]*\([0-9]*\).*/\1/p" "/proc/$web/status"; }
holds "the process that speaks HTTP keeps few system calls" "$([ "$(status Seccomp)" = 2 ] && [ "$(status NoNewPrivs)" = 1 ]; echo $?)"
holds "it is not root" "$([ "$(status Uid)" != 0 ]; echo $?)"
verdict "it has no file open" "$(ls -l "/proc/$web/fd" 2>/dev/null | sed -n 's/.*-> //p' | grep -vE '^(socket|pipe|anon_inode):|^/dev/null$')"
verdict "it has nothing of the judge in it" "$(nm "$build/bin/warpschool-http" 2>/dev/null | grep -E ' (lessons_judges|check_run|seed_draw|judges_find)$'; strings -a "$build/bin/warpschool-http" | grep -F "$(sed -n 's/.*\.concept = "\(.*\)",/\1/p' lessons/*/hidden.def)")"
holds "by hand it says what it is part of" "$("$build/bin/warpschool-http" 2>&1 </dev/null 3<&- 4<&- | grep -q 'a part of: warpschool serve'; echo $?)"

# ---- slow ones, and then many, before which the slow ones would go first ----
wait "$(jobs -p | sed -n 2p)" "$(jobs -p | sed -n 3p)" 2>/dev/null
for ((tries = 0; tries < 300; tries++)); do [ ! -s "$work/slow-head" ] || [ ! -s "$work/slow-body" ] || break; sleep 0.1; done
holds "a head that never ends is cut off" "$([ "$(cat "$work/slow-head" 2>/dev/null)" = 0 ]; echo $?)"
holds "a body of a byte a second is cut off" "$([ "$(cat "$work/slow-body" 2>/dev/null)" -lt 25 ] 2>/dev/null; echo $?)"
crowd=${CROWD:-1200} crowd_seconds=${CROWD_SECONDS:-3}
verdict "a crowd of connections, silent and slow ($crowd), and somebody who learns beside it" "$(python3 tests/serve/hostile.py "$port" "$crowd" "$crowd_seconds" "$lesson" "$cookie" 2>&1 | tee -a "${CROWD_SAYS:-/dev/null}" | grep -v '^#')"
gives "and a learner is served after all that" 200 "/lessons/$lesson.html"

# ---- its end ----
said=$("$build/bin/warpschool" --root "$course" serve --port "$port" 2>&1)
holds "a port that is in use: $said" "$([ $? -eq 2 ] && grep -q 'PORT=' <<<"$said"; echo $?)"
stop_server
holds "Ctrl-C ends it well" "$([ $? -eq 0 ] && ! kill -0 "$web" 2>/dev/null && grep -q 'Your files are in' "$work/serve.out"; echo $?)"
start_server && find_web && kill -KILL "$server"
wait "$server" 2>/dev/null
for ((tries = 0; tries < 50; tries++)); do kill -0 "$web" 2>/dev/null || break; sleep 0.1; done
holds "killed, it leaves no process behind" "$([ -n "$web" ] && ! kill -0 "$web" 2>/dev/null; echo $?)"
start_server && find_web && kill -KILL "$web"
wait "$server"
holds "without the process that speaks HTTP it ends, and says so" "$([ $? -eq 3 ] && grep -q 'has ended' "$work/serve.err"; echo $?)"
verdict "in a terminal, Ctrl-C is a key, and the terminal is as it was" "$(timeout 200 python3 tests/serve/terminal.py "$build/bin/warpschool" --root "$course" serve --port 0 2>&1)"
rm -rf "$course/work" && echo mine >"$course/work"
said=$("$build/bin/warpschool" --root "$course" serve --port 0 2>&1)
holds "a work folder that is a file: $said" "$([ $? -eq 3 ] && grep -q 'folder of your work' <<<"$said"; echo $?)"
finish
