#!/bin/sh
# Installs the packages of packages.txt that are missing, or prints the command when it may not:
#     setup.sh JOB...           those of the jobs, and says so
#     setup.sh --bring JOB...   the same on the way to another target: silent when nothing is missing, and never its failure
#     setup.sh --list JOB...    only prints their names here
#     setup.sh --missing JOB... says what each missing one is for, and installs nothing; false when nothing is missing
# Runs before anything is built, so it needs nothing but a POSIX shell.
set -u
here=$(dirname "$0")
list=$here/packages.txt
mode=
case ${1:-} in --bring | --list | --missing) mode=${1#--} && shift ;; esac
jobs=" $* "

is_there() { # any one of the |-separated files
    old_ifs=$IFS IFS='|'
    for file in $1; do
        if [ -e "$file" ]; then IFS=$old_ifs; return 0; fi
    done
    IFS=$old_ifs
    return 1
}

# name_here PACKAGE|PACKAGE...: the first one that the archive has; the first of all where nobody can say.
name_here() {
    case $1 in *'|'*) ;; *) echo "$1"; return ;; esac
    old_ifs=$IFS IFS='|'
    for name in $1; do
        if [ -n "$(apt-cache madison "$name" 2>/dev/null)" ]; then IFS=$old_ifs; echo "$name"; return; fi
    done
    IFS=$old_ifs
    echo "${1%%|*}"
}

# The rows of the jobs whose files are missing: package, what it is for.
missing_rows() {
    while read -r package job file purpose; do
        case $package in '' | '#'*) continue ;; esac
        case $jobs in *" $job "*) ;; *) continue ;; esac
        [ "$mode" != list ] && is_there "$file" || printf '%s %s\n' "$package" "$purpose"
    done <"$list"
}

names_of() { # rows: the packages, by their names here
    printf '%s\n' "$1" | while read -r package _; do
        [ -z "$package" ] || name_here "$package"
    done
}

# from_npm JOB SCRIPT WITHOUT: npm's packages, which only one job needs; without them something smaller stands in, or tests are skipped.
from_npm() {
    case $jobs in *" $1 "*) ;; *) return 0 ;; esac
    [ -f "$here/../$2" ] && command -v npm >/dev/null 2>&1 || return 0
    BUILD=$here/../build sh "$here/../$2" >/dev/null 2>&1 || echo "setup: npm could not bring $3"
}

install_from_npm() {
    from_npm tests tests/browser/install.sh "the packages for the tests in a browser; make test skips these"
    from_npm tests warpgrind/tests/dap/install.sh "the client for the tests of the debug adapter; make test skips these"
    from_npm editor serve/page/editor/install.sh "the packages of the editor; make serve has a plain text area"
}

# finish STATUS: on the way to another target nothing is fatal, since what is there may be enough for it.
finish() {
    [ "$mode" != bring ] || exit 0
    exit "$1"
}

# apt_failed WHAT: what apt said last. Its words are in the user's language; a lock it names by its path.
apt_failed() {
    tail -n 20 "$log" >&2
    echo "setup: $1; the lines above say why" >&2
    case $(cat "$log") in
    */lists/lock* | */dpkg/lock*) echo "setup: another program is installing packages just now; give the same command again when it has ended" >&2 ;;
    esac
    finish 3
}

say_missing() { # what each is for, as far as the table knows
    printf 'setup: these packages are missing:\n' >&2
    printf '%s\n' "$missing" | while read -r package purpose; do printf '    %-18s %s\n' "${package%%|*}" "$purpose"; done >&2
}

# Elsewhere than on Debian and Ubuntu the command is printed, not run: nobody has tried its names.
print_elsewhere() { # column of packages-elsewhere.txt, the command that installs
    names= without=
    for package in $(printf '%s\n' "$missing" | awk '{ sub(/\|.*/, "", $1); print $1 }'); do
        name=$(awk -v p="$package" -v c="$1" '$1 == p { print $c }' "$here/packages-elsewhere.txt")
        case $name in
        - | '') without="$without $package" ;;
        *) case " $names " in *" $name "*) ;; *) names="$names $name" ;; esac ;;
        esac
    done
    say_missing
    printf 'These are their names in Debian. Here they should be these, which nobody has tried yet:\n\n    sudo %s%s\n\n' "$2" "$names" >&2
    [ -z "$without" ] || printf 'There is no package here for:%s\nCUB, Thrust and libcu++ come with the CUDA toolkit or the CCCL headers.\n' "$without" >&2
    finish 3
}

missing=$(missing_rows)
if [ "$mode" = list ]; then
    names_of "$missing"
    exit 0
fi
if [ "$mode" = missing ]; then
    [ -n "$missing" ] || exit 1
    say_missing
    exit 0
fi
if [ -z "$missing" ]; then
    install_from_npm
    [ "$mode" = bring ] || echo "setup: everything is installed"
    exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
    if command -v dnf >/dev/null 2>&1; then print_elsewhere 2 "dnf install"; fi
    if command -v pacman >/dev/null 2>&1; then print_elsewhere 3 "pacman -S --needed"; fi
    say_missing
    echo "setup: this system has no apt-get; please install the equivalents" >&2
    finish 3
fi
if [ "$(id -u)" -eq 0 ]; then
    run=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    run='sudo -n'
else
    say_missing
    printf 'Without them, what is said beside them does not work, and the rest does. Whoever may install packages here, please run:\n\n    sudo apt-get update && sudo apt-get install -y --no-install-recommends %s\n\n' \
        "$(names_of "$missing" | tr '\n' ' ')" >&2
    finish 3
fi
log=$(mktemp) || exit 3
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086 # $run and $names are lists of words
$run apt-get update >"$log" 2>&1 || apt_failed "the lists of packages could not be read"
names=$(names_of "$missing" | tr '\n' ' ')
# shellcheck disable=SC2086
bytes=$(apt-get install --print-uris -qq -y --no-install-recommends $names 2>/dev/null | awk '/^\047/ { sum += $3 } END { printf "%.0f", sum / 1000000 }')
echo "setup: installing $names($bytes MB to download)"
# shellcheck disable=SC2086
$run env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=60 $names >"$log" 2>&1 ||
    apt_failed "the installation failed"
install_from_npm
echo "setup: done"
