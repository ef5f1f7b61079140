# root.bash - a fresh root of a Debian release, made by mmdebstrap from the package mirror and entered by namespaces of its own, since the judge's sandbox works in
# no plain chroot. Scripts source it. Needs root and mmdebstrap.

refuse() { # what, remedy
    printf '%s: %s\n  remedy: %s\n' "$(basename "$0" .sh)" "$1" "$2" >&2
    exit 3
}

# make_root RELEASE FOLDER PACKAGE,...: nothing is done where there is one already.
make_root() {
    [ "$(id -u)" -eq 0 ] || refuse "only root can make a system's root" "the same with sudo"
    command -v mmdebstrap >/dev/null || refuse "mmdebstrap is not installed" "apt-get install mmdebstrap"
    if [ ! -e "$2/etc/debian_version" ]; then
        echo "making a root of $1"
        mmdebstrap --quiet --variant=apt --include="mount,passwd,$3" "$1" "$2" || return
    fi
    chmod 755 "$2" # apt reads as a user of its own
    cp /etc/resolv.conf "$2/etc/resolv.conf"
}

# What inside runs in namespaces of its own: ROOT FOLDER COMMAND. The old root is put away, not hidden, so that the kernel lets the judge's sandbox have users
# and a /proc of its own. Of the devices there are those that every system has, each mounted by itself: a root in there cannot take this system's away.
enter='
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount -t tmpfs -o mode=755 tmpfs "$1/dev"
for node in null zero full random urandom tty; do : >"$1/dev/$node" && mount --bind "/dev/$node" "$1/dev/$node"; done
mkdir "$1/dev/pts" "$1/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$1/dev/pts"
ln -s pts/ptmx "$1/dev/ptmx"
ln -s /proc/self/fd "$1/dev/fd"
for stream in 0/stdin 1/stdout 2/stderr; do ln -s "/proc/self/fd/${stream%/*}" "$1/dev/${stream#*/}"; done
mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
mount -t proc proc "$1/proc"
mount --rbind /sys "$1/sys"
cd "$1"
pivot_root . mnt
exec chroot . /bin/sh -c "umount -l /mnt; cd \"\$1\" && exec /bin/sh -c \"\$2\"" sh "$2" "$3"'

# inside ROOT FOLDER COMMAND: as root of that system, with processes, devices and /tmp of its own.
inside() {
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive CI="${CI:-}" \
        unshare --mount --pid --ipc --uts --fork --kill-child sh -c "$enter" sh "$1" "$2" "$3" </dev/null
}
