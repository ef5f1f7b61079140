# suite.bash - what every suite is made of. A script that `make test` runs sources it first: it goes to the root of the tree, makes
# a folder of its own ($work, removed at the end), counts cases, and prints the last line "N passed, N failed".
# BUILD names the build folder. FILTER leaves only the cases whose name contains it; a filter that leaves none is a failure.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 3
build=${BUILD:-build}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# selected NAME: whether FILTER asks for this case.
selected() { [[ $1 == *"${FILTER:-}"* ]]; }

# verdict NAME PROBLEM: counts a case; an empty problem is none.
verdict() {
    selected "$1" || return 0
    if [ -z "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s: %s\n' "$1" "$2"
    fi
}

# holds NAME STATUS: counts a condition by its exit status.
holds() {
    local problem=
    [ "$2" -eq 0 ] || problem="it is not so"
    verdict "$1" "$problem"
}

# finish: the last line. Cases that never ran prove nothing, so none at all is a failure; its exit status is 4.
finish() {
    local status=$((failed > 0))
    if [ $((passed + failed)) -eq 0 ]; then
        echo "FAILED: no case ran${FILTER:+ with \"$FILTER\" in its name}"
        failed=1 status=4
    fi
    echo "$passed passed, $failed failed"
    exit $status
}
