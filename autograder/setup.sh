#!/bin/sh
# `make setup`: installs the packages of packages.txt that are missing, or prints the command when it may not.
# Runs before anything is built, so it needs nothing but a POSIX shell.
set -u
list=$(dirname "$0")/packages.txt

is_there() { # any one of the |-separated files
    old_ifs=$IFS IFS='|'
    for file in $1; do
        if [ -e "$file" ]; then IFS=$old_ifs; return 0; fi
    done
    IFS=$old_ifs
    return 1
}

missing=
while read -r package file purpose; do
    case $package in '' | '#'*) continue ;; esac
    is_there "$file" || missing="$missing $package"
done <"$list"

# The tests in a browser need two packages of npm's. Learners do not: without them only those tests are skipped.
install_browser_tests() {
    script=$(dirname "$0")/../tests/browser/install.sh
    [ -f "$script" ] && command -v npm >/dev/null 2>&1 || return 0
    sh "$script" >/dev/null 2>&1 || echo "setup: npm could not bring the packages for the tests in a browser; make test skips these"
}

if [ -z "$missing" ]; then
    install_browser_tests
    echo "setup: everything is installed"
    exit 0
fi
# Elsewhere than on Debian and Ubuntu the command is printed, not run: nobody has tried its names.
print_elsewhere() { # column of packages-elsewhere.txt, the command that installs
    names= without=
    for package in $missing; do
        name=$(awk -v p="$package" -v c="$1" '$1 == p { print $c }' "$(dirname "$0")/packages-elsewhere.txt")
        case $name in
        - | '') without="$without $package" ;;
        *) case " $names " in *" $name "*) ;; *) names="$names $name" ;; esac ;;
        esac
    done
    printf 'setup: these packages are missing, by the names that Debian has for them:%s\nTheir names here should be these, which nobody has tried yet:\n\n    sudo %s%s\n\n' \
        "$missing" "$2" "$names" >&2
    [ -z "$without" ] || printf 'There is no package here for:%s\nCUB, Thrust and libcu++ come with the CUDA toolkit or the CCCL headers; similarity-tester is needed by make similarity alone.\n' "$without" >&2
    exit 3
}

if ! command -v apt-get >/dev/null 2>&1; then
    if command -v dnf >/dev/null 2>&1; then print_elsewhere 2 "dnf install"; fi
    if command -v pacman >/dev/null 2>&1; then print_elsewhere 3 "pacman -S --needed"; fi
    echo "setup: this system has no apt-get; please install the equivalents of:$missing" >&2
    exit 3
fi
command="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" -eq 0 ]; then
    run=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    run='sudo -n'
else
    printf 'setup: these packages are missing:%s\nPlease run, then try again:\n\n    sudo apt-get update && sudo %s\n\n' "$missing" "$command" >&2
    exit 3
fi
echo "setup: installing$missing"
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # $run and $command are lists of words
if ! { $run apt-get update && $run env DEBIAN_FRONTEND=noninteractive $command; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "setup: the installation failed; the lines above say why" >&2
    exit 3
fi
install_browser_tests
echo "setup: done"
