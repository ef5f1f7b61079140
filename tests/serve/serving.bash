# serving.bash - for the suites of the course in a browser: a course of their own, with an empty work folder, and a server of it. Sourced after suite.bash.
course=$work/course

make_course() {
    mkdir -p "$course"
    ln -sf "$PWD/lessons" "$PWD/starter" "$PWD/autograder" "$course/"
}

# start_server: leaves its process in $server, its address without the key in $address, and the key in $key. false with the reason on the screen.
start_server() {
    : >"$work/serve.out" # what the last one said is not this one's address
    # 1024 open files are what most systems begin with, however many a machine for tests lets be open.
    (ulimit -Sn 1024 && exec "$build/bin/warpschool" --root "$course" serve --port 0 "$@") >"$work/serve.out" 2>"$work/serve.err" &
    server=$!
    for ((tries = 0; tries < 100; tries++)); do
        line=$(grep -m 1 '?key=[0-9a-f]*$' "$work/serve.out") address=${line##* } key=${line##*=} address=${address%%/\?*}
        [ "${#key}" -ne 32 ] || return 0
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    cat "$work/serve.err"
    return 1
}

# find_web: leaves in $web the process that speaks HTTP, which begins a moment after the server has said its address.
find_web() {
    for ((tries = 0; tries < 100; tries++)); do
        ! web=$(pgrep -P "$server" -f '/warpschool-http$') || return 0
        sleep 0.05
    done
    return 1
}

# stop_server: ends it as Ctrl-C does; its exit status.
stop_server() {
    kill -INT "$server" 2>/dev/null
    wait "$server"
}
