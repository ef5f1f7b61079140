# common.bash - how the command-line tests of warpgrind run programs and check what came of it: sourced by the scripts beside it.
. "$(dirname "${BASH_SOURCE[0]}")/../suite.bash"
warpgrind=$build/bin/warpgrind warpcc=$build/bin/warpcc

check() { # name, command that tells
    selected "$1" || return 0
    local problem=
    eval "$2" || problem="not so: $2 $(tail -n 5 "$work/out" "$work/log" 2>/dev/null)"
    verdict "$1" "$problem"
}

run() { # arguments of warpgrind; leaves $status, out, log
    timeout 60 "$warpgrind" "$@" >"$work/out" 2>"$work/log"
    status=$?
}

build_from() { # name; source on stdin
    cat >"$work/$1.cu"
    "$warpcc" -o "$work/$1" "$work/$1.cu" >"$work/log" 2>&1 && [ -x "$work/$1" ] || verdict "$1 compiles" "$(cat "$work/log")"
}
