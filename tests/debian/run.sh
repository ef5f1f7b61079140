#!/bin/bash
# make test-debian RELEASE=trixie: README's commands in a fresh root of a Debian release, from the last commit. COMMANDS says what is run there, one
# command a line; KEEP=folder keeps the root there and uses it again. Not part of make test: it brings some 600 MB.
set -eu -o pipefail
cd "$(dirname "$0")/../.."
. tests/debian/root.bash
release=${RELEASE:-trixie}
commands=${COMMANDS:-$'make setup exercise\nmake test TIMES=1'}

if [ -n "${KEEP:-}" ]; then
    root=$KEEP
else
    root=$(mktemp -d)
    trap 'rm -rf --one-file-system "$root"' EXIT
fi
make_root "$release" "$root" git,make,ca-certificates
rm -rf "$root/srv/warpschool"
mkdir -p "$root/srv/warpschool"
git archive HEAD | tar -x -C "$root/srv/warpschool"

here() { inside "$root" /srv/warpschool "$1"; }
here 'git config --global user.email a@example.org && git config --global user.name A && git init -q && git add -A && git commit -qm "The tree"'
status=0
while IFS= read -r line; do
    printf '== %s (Debian %s): %s\n' "$release" "$(cat "$root/etc/debian_version")" "$line"
    here "$line" || { status=1 && printf '== failed: %s\n' "$line"; }
done <<<"$commands"
exit $status
