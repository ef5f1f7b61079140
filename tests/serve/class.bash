# class.bash - for the suites of a class in a browser: a class's folder, its server, and students who ask. Sourced after suite.bash and serving.bash.
room=$work/room origin=

# make_class IDS...: a folder with a roster of those.
make_class() {
    make_course
    mkdir -p "$room"
    { echo id,name,email; for id; do echo "$id,\"Name of <b>$id</b>\",$id@school.example"; done; } >"$room/roster.csv"
}

# start_class OPTIONS...: leaves its process in $server and its address in $address. False with the reason on the screen. `within` is a command that starts it.
within=()
start_class() {
    : >"$work/serve.out" # what the last one said is not this one's address
    "${within[@]}" "$build/bin/warpschool" --root "$course" serve --class "$room" --port 0 "$@" >"$work/serve.out" 2>"$work/serve.err" &
    server=$!
    for ((tries = 0; tries < 300; tries++)); do
        address=$(sed -n 's,^.* served at  \(http://[0-9.:]*\)/ .*,\1,p' "$work/serve.out")
        [ -z "$address" ] || { port=${address##*:}; return 0; }
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    cat "$work/serve.err"
    return 1
}

class() { "$build/bin/warpschool" --root "$course" class "$room" "$@" 2>"$work/class.err"; }
# link_of ID: the path of the link.
link_of() { class links "$1" | sed -n '2s,.*"http://[^/]*\(/enter/[^"]*\)".*,\1,p'; }
# enter ID: leaves the student's cookie in ${cookies[ID]}.
declare -A cookies
enter() { cookies[$1]=$(curl -si "$address$(link_of "$1")" | sed -n 's/^Set-Cookie: \([^;]*\);.*/\1/p'); }
# as ID OPTIONS... PATH: the status of an answer; the answer is in $work/answer.
as() { curl -s --max-time 60 --path-as-is -o "$work/answer" -w '%{http_code}' -H "Cookie: ${cookies[$1]}" "${@:2:$#-2}" "$address${*: -1}"; }
# says NAME STATUS ID OPTIONS... PATH
says() {
    local said
    said=$(as "${@:3}")
    verdict "$1" "$([[ "$said" =~ ^($2)$ ]] || echo "$said: $(head -c 300 "$work/answer")")"
}
# version_of ID LESSON
version_of() { curl -si -H "Cookie: ${cookies[$1]}" "$address/lessons/$2/source" | sed -n 's/^ETag: \(".*"\).*/\1/p'; }
# send ID LESSON check|hand-in FILE: saves the file, and that; prints the status.
send() { as "$1" -X POST -H "Origin: $address" -H "If-Match: $(version_of "$1" "$2")" --data-binary "@$4" "/lessons/$2/$3"; }
# rows SQL: of the class's database.
rows() { python3 -c 'import sqlite3, sys; [print(*row, sep="|") for row in sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None).execute(sys.argv[2])]' "$room/class.db" "$1"; }
# await_rows COUNT SQL: until so many rows are there.
await_rows() {
    for ((tries = 0; tries < 300; tries++)); do
        [ "$(rows "$2" | wc -l)" -lt "$1" ] || return 0
        kill -0 "$server" 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}
