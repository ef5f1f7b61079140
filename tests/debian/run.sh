#!/bin/bash
# make test-debian RELEASE=trixie: README's commands in a fresh root of a Debian release, made by mmdebstrap from the package mirror, from the last
# commit. COMMANDS says what is run there, one command a line; KEEP=folder keeps the root there and uses it again. Not part of make test: it brings
# some 600 MB. The root is entered by bubblewrap, since the judge's own sandbox works in no plain chroot. Needs root, mmdebstrap and bwrap.
set -eu -o pipefail
cd "$(dirname "$0")/../.."
release=${RELEASE:-trixie}
commands=${COMMANDS:-$'make setup exercise\nmake test TIMES=1'}

refuse() { # what, remedy
    printf 'test-debian: %s\n  remedy: %s\n' "$1" "$2" >&2
    exit 3
}
[ "$(id -u)" -eq 0 ] || refuse "only root can make a system's root" "sudo make test-debian RELEASE=$release"
for tool in mmdebstrap bwrap; do
    command -v $tool >/dev/null || refuse "$tool is not installed" "apt-get install mmdebstrap bubblewrap"
done

if [ -n "${KEEP:-}" ]; then
    root=$KEEP
else
    root=$(mktemp -d)
    trap 'rm -rf --one-file-system "$root"' EXIT
fi
if [ ! -e "$root/etc/debian_version" ]; then
    echo "test-debian: making a root of $release"
    mmdebstrap --quiet --variant=apt --include=git,make,ca-certificates "$release" "$root"
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
rm -rf "$root/srv/warpschool"
mkdir -p "$root/srv/warpschool"
git archive HEAD | tar -x -C "$root/srv/warpschool"

# inside COMMAND: as root of that system, with processes, devices and /tmp of its own.
inside() {
    bwrap --bind "$root" / --dev /dev --proc /proc --tmpfs /dev/shm --tmpfs /tmp --bind-try /sys/fs/cgroup /sys/fs/cgroup --die-with-parent \
        --unshare-pid --cap-add ALL --clearenv --setenv PATH /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        --setenv HOME /root --setenv LANG C.UTF-8 --setenv CI "${CI:-}" --chdir /srv/warpschool sh -c "$1"
}
inside 'git config --global user.email a@example.org && git config --global user.name A && git init -q && git add -A && git commit -qm "The tree"'
status=0
while IFS= read -r line; do
    printf '== %s (Debian %s): %s\n' "$release" "$(cat "$root/etc/debian_version")" "$line"
    inside "$line" </dev/null || { status=1 && printf '== failed: %s\n' "$line"; }
done <<<"$commands"
exit $status
