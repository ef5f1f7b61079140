#!/bin/sh
# packages.sh --list: the packages of packages.txt, one a line. packages.sh COMPILER...: true where all that they bring is there, and otherwise the
# missing ones in words. The compiler looks for headers, wherever this system has them.
set -u
list=$(dirname "$0")/packages.txt

is_there() { # command or header
    case $1 in
    *.h) printf '#include <%s>\n' "$1" | $compiler -E -x c - >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

if [ "$*" = --list ]; then
    awk '/^[^#]/ { print $1 }' "$list"
    exit 0
fi
compiler=$*
# Without a compiler nobody can say which headers there are.
command -v "${compiler%% *}" >/dev/null 2>&1 || compiler=false
missing=$(while read -r package file; do
    case $package in '' | '#'* | gcc) continue ;; esac
    is_there "$file" || printf ' %s' "$package"
done <"$list")
[ "$compiler" != false ] || missing=" gcc$missing"
[ -n "$missing" ] || exit 0
printf 'warpgrind needs these to be built, by the names of Debian:%s\n  remedy: sudo apt-get install --no-install-recommends%s\n' "$missing" "$missing" >&2
exit 1
