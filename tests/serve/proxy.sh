#!/bin/bash
# A class behind a real nginx: TLS, names by a header over a socket of a file and from a listed address, headers that clients forge; then two servers behind one
# name, each student always at the same one. Not part of make test, as nginx is in no setup: make test-proxy. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
. tests/serve/serving.bash
. tests/serve/class.bash
PATH=$PATH:/usr/sbin
if [ ! -x "$build/bin/warpschool-http" ] || ! command -v nginx >/dev/null || ! command -v openssl >/dev/null; then
    echo "SKIPPED a class behind a proxy: libmicrohttpd-dev, nginx-light or openssl is not installed"
    echo "0 passed, 0 failed"
    exit 77
fi
students=(ann bob cy dan eve fay) proxy=$work/proxy name=class.example lesson=01-vector-add right=solutions/01-vector-add/solution.cu
mkdir -p "$proxy"
chmod 711 "$work"
for id in "${students[@]}" stranger; do echo "$id:{PLAIN}of-$id"; done >"$proxy/people"
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$proxy/tls.key" -out "$proxy/tls.pem" -days 2 -subj /CN=$name -addext subjectAltName=DNS:$name 2>/dev/null
trap 'kill $(cat "$proxy/nginx.pid" 2>/dev/null) 2>/dev/null' EXIT

# start_proxy BIND SERVERS...: leaves its port in $tls.
start_proxy() {
    local servers user=
    servers=$(printf 'server %s max_fails=0; ' "${@:2}")
    [ "$(id -u)" != 0 ] || user='user root;'
    for ((tries = 0; tries < 20; tries++)); do
        tls=$((20000 + RANDOM % 20000))
        sed "s,@dir@,$proxy,g; s,@port@,$tls,; s,@servers@,$servers,; s,@user@,$user,; s,@bind@,$1," tests/serve/nginx.conf >"$proxy/nginx.conf"
        nginx -p "$proxy" -c "$proxy/nginx.conf" 2>"$proxy/nginx.err" &
        nginx=$!
        for ((more = 0; more < 100; more++)); do
            [ ! -s "$proxy/nginx.pid" ] || return 0
            kill -0 "$nginx" 2>/dev/null || break
            sleep 0.1
        done
    done
    cat "$proxy/nginx.err"
    return 1
}
stop_proxy() {
    kill -QUIT "$nginx"
    wait "$nginx"
    rm -f "$proxy/nginx.pid"
}
# start_at FOLDER FILE: a server of that class at a socket of a file; its process is in $server.
start_at() {
    : >"$work/serve.out"
    "$build/bin/warpschool" --root "$course" serve --class "$1" --socket "$2" --host $name --user-header X-Forwarded-User -j 1 >"$work/serve.out" 2>"$work/serve.err" &
    server=$!
    for ((tries = 0; tries < 300; tries++)); do
        ! grep -q 'is served at the socket' "$work/serve.out" || return 0
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    cat "$work/serve.err"
    return 1
}
# through OPTIONS... PATH: the status of an answer by way of the proxy, whose certificate is looked at.
through() { curl -s --max-time 60 --cacert "$proxy/tls.pem" --resolve "$name:$tls:127.0.0.1" -o "$work/answer" -D "$work/heads" -w '%{http_code}' "${@:1:$#-1}" "https://$name:$tls${*: -1}"; }
# by ID OPTIONS... PATH: as somebody whom the proxy knows.
by() { through -u "$1:of-$1" "${@:2}"; }
gives() { verdict "$1" "$([[ "$3" =~ ^($2)$ ]] || echo "$3: $(head -c 300 "$work/answer")")"; }
# save ID: a text of their own; prints the status.
save() {
    by "$1" "/lessons/$lesson.html" >/dev/null
    by "$1" "/lessons/$lesson/source" >/dev/null
    local version
    version=$(sed -n 's/^ETag: \(".*"\).*/\1/Ip' "$work/heads")
    { cat "$right"; echo "// this is $1's"; } >"$work/$1.cu"
    by "$1" -X "${2:-PUT}" -H "Origin: https://$name" -H "If-Match: $version" --data-binary "@$work/$1.cu" "/lessons/$lesson/${3:-source}"
}
# own ID OPTIONS...: whether what is served is their text.
own() { by "$1" "${@:2}" "/lessons/$lesson/source" >/dev/null && cmp -s "$work/answer" "$work/$1.cu"; }

# ---- over a socket of a file ----
make_class "${students[@]}"
start_at "$room" "$work/socket" || { verdict "behind a proxy" "the server does not start"; finish; }
start_proxy '' "unix:$work/socket" || { verdict "behind a proxy" "nginx does not start"; finish; }
gives "behind a proxy: whom it does not know is not let through" 401 "$(through /own.html)"
gives "nor is a wrong password" 401 "$(through -u ann:of-bob /own.html)"
gives "whom it knows is let in" 200 "$(by ann /own.html)"
gives "whom it knows, and who is not in the class, is not" 403 "$(by stranger /own.html)"
for one in ann bob; do gives "$one saves" 200 "$(save $one)"; done
verdict "each has a text of their own" "$(own ann && own bob || head -c 200 "$work/answer")"
verdict "a header that a client forges is the proxy's to write" "$(own ann -H 'X-Forwarded-User: bob' && own ann -H 'x-forwarded-user: bob' -H 'X-Forwarded-User: bob' && own ann -H 'X_Forwarded_User: bob' || head -c 200 "$work/answer")"
gives "an invented cookie opens nothing" 403 "$(through -H "Cookie: warpschool_0=0123456789abcdef0123456789abcdef" -H 'X-Forwarded-User: ann' /own.html)"
gives "another origin changes nothing" 403 "$(by ann -X POST -H 'Origin: https://evil.example' "/lessons/$lesson/hint")"
if [ "$(id -u)" = 0 ]; then
    said=$(setpriv --reuid=65534 --regid=65534 --clear-groups curl -s --max-time 20 --unix-socket "$work/socket" -o /dev/null -w '%{http_code}' -H 'X-Forwarded-User: ann' "http://$name/own.html")
    verdict "another user of this machine does not reach the socket" "$([ "$said" = 000 ] || echo "$said")"
fi
timeout 120 curl -sN --cacert "$proxy/tls.pem" --resolve "$name:$tls:127.0.0.1" -u ann:of-ann "https://$name:$tls/lessons/$lesson/events" >"$work/events" &
for ((i = 0; i < 300; i++)); do ! grep -q 'event: hello' "$work/events" || break; sleep 0.1; done
gives "a check goes through" 202 "$(save ann POST check)"
for ((i = 0; i < 900; i++)); do ! grep -q 'event: result' "$work/events" || break; sleep 0.1; done
verdict "and is told as it goes" "$(grep -q 'event: result' "$work/events" || head -c 300 "$work/events")"
gives "a teacher comes by the link" 303 "$(through "$(link_of teacher)")"
teacher=$(sed -n 's/^Set-Cookie: \([^;]*\);.*/\1/Ip' "$work/heads")
holds "whose cookie is for TLS alone" "$(grep -qi '^Set-Cookie: .*; Secure' "$work/heads"; echo $?)"
gives "and is let in by its cookie" 200 "$(through -H "Cookie: $teacher" /class.html)"
gives "a learning platform gets through without a name, where one is registered" 404 "$(through -H 'X-Forwarded-User: ann' /lti/keys)"
gives "who is named is no teacher" 404 "$(by ann /class.html)"
stop_proxy
stop_server

# ---- from a listed address ----
start_class --host $name --user-header X-Forwarded-User --proxy 127.0.0.2 || verdict "it starts" "$(cat "$work/serve.err")"
start_proxy 'proxy_bind 127.0.0.2;' "127.0.0.1:$port" || verdict "nginx starts" "$(cat "$proxy/nginx.err")"
gives "from a listed address: whom the proxy names is let in" 200 "$(by ann /own.html)"
holds "as the one who saved before" "$(own ann; echo $?)"
said=$(curl -s -o "$work/answer" -w '%{http_code}' -H "Host: $name" -H 'X-Forwarded-User: ann' "$address/own.html")
gives "a client that writes the header itself, from another address, is not" 403 "$said"
stop_proxy
stop_server

# ---- two servers behind one name ----
mkdir "$work/second"
cp "$room/roster.csv" "$work/second/"
rm -rf "$work/first" && mkdir "$work/first" && cp "$room/roster.csv" "$work/first/"
start_at "$work/first" "$work/socket-1" || verdict "the first starts" "$(cat "$work/serve.err")"
first=$server
start_at "$work/second" "$work/socket-2" || verdict "the second starts" "$(cat "$work/serve.err")"
second=$server
start_proxy '' "unix:$work/socket-1" "unix:$work/socket-2" || verdict "nginx starts" "$(cat "$proxy/nginx.err")"
for one in "${students[@]}"; do gives "two servers: $one hands in" 200 "$(save "$one" POST hand-in)"; done
at() { ls "$work/$1/submissions"; }
verdict "each student is at one of them, and each of them has some" "$([ "$(at first; at second)" != "$(at first)" ] && [ -n "$(at first)" ] && [ "$({ at first; at second; } | sort | tr '\n' ' ')" = "${students[*]} " ] || { at first; echo --; at second; })"
verdict "and stays there, however often they come" "$(for ((i = 0; i < 5; i++)); do for one in "${students[@]}"; do own "$one" || echo "$one: $(head -c 100 "$work/answer")"; done; done)"
there=$(at second | head -n 1) here=$(at first | head -n 1)
kill -KILL "$second"
wait "$second" 2>/dev/null
gives "one is killed: its students wait" 502 "$(by "$there" /own.html)"
holds "and are not sent to the other, where nothing is theirs" "$([ ! -e "$work/first/submissions/$there" ] && [ ! -e "$work/first/students/$there/work/$lesson.cu" ]; echo $?)"
gives "the other one's students go on" 200 "$(by "$here" /own.html)"
start_at "$work/second" "$work/socket-2" || verdict "it starts again" "$(cat "$work/serve.err")"
second=$server
holds "it is back: so is what was theirs" "$(own "$there"; echo $?)"
mkdir "$work/all"
cp -a "$work/first/submissions/." "$work/second/submissions/." "$work/all/"
"$build/bin/warpschool" --root "$course" grade "$work/all" --roster "$room/roster.csv" --gradebook "$work/gradebook.db" --csv "$work/grades.csv" --seed 5 >"$work/grade.log" 2>&1
verdict "both folders together are one class's submissions" "$([ "$(grep -c "\"$lesson\",pass" "$work/grades.csv")" = ${#students[@]} ] || { tail -n 5 "$work/grade.log"; cut -c1-80 "$work/grades.csv"; })"
for server in "$first" "$second"; do stop_server; done
stop_proxy
finish
