# common.bash - where the command-line tests of warpgrind work, and how they check: sourced by the scripts beside it.
set -u
cd "$(dirname "$0")/../.." || exit 3
build=${BUILD:-build}
warpgrind=$build/bin/warpgrind warpcc=$build/bin/warpcc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

check() { # name, command that tells
    if eval "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1: not so: $2"
        tail -n 5 "$work/out" "$work/log" 2>/dev/null
    fi
}

run() { # arguments of warpgrind; leaves $status, out, log
    timeout 60 "$warpgrind" "$@" >"$work/out" 2>"$work/log"
    status=$?
}

build_from() { # name; source on stdin
    cat >"$work/$1.cu"
    "$warpcc" -o "$work/$1" "$work/$1.cu" >"$work/log" 2>&1 || { echo "FAILED to build $1"; cat "$work/log"; failed=$((failed + 1)); }
}
