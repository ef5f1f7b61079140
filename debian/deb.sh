#!/bin/sh
# `make deb`: Debian packages of the last commit in the folder $1, made by dpkg-buildpackage; of the tree as it is where there is no git. Their version is that
# of warpgrind/base/version.h, with the day of the commit before the release has a section in CHANGELOG.md. -B after the
# folder leaves out the pages, which need Chromium and pandoc. BUILT=folder takes the programs of that build folder and this tree as they are. Who
# builds is their maintainer: DEBFULLNAME and DEBEMAIL, or whom git knows, or the account's name on this machine.
set -eu
cd "$(dirname "$0")/.."
tree=$PWD
mkdir -p "$1"
out=$(cd "$1" && pwd) kind=${2:--b}

refuse() { # message, remedy
    printf 'deb: %s\n  remedy: %s\n' "$1" "$2" >&2
    exit 3
}
for tool in dpkg-buildpackage dh; do
    command -v $tool >/dev/null || refuse "$tool is not installed" "apt-get install dpkg-dev debhelper"
done

release=$(sed -n 's/^#define WARPGRIND_VERSION "\(.*\)"$/\1/p' warpgrind/base/version.h)
if git rev-parse -q --verify HEAD >/dev/null 2>&1; then
    date=$(git log -1 --format=%cD) day=$(git log -1 --format=%cd --date=format:%Y%m%d)
else
    date=$(date -R -r CHANGELOG.md) day=$(date +%Y%m%d -r CHANGELOG.md)
fi
version=$release
grep -q "^## $release\b" CHANGELOG.md || version=$release~$day

place=$out/warpschool-$release
rm -rf "$place"
mkdir "$place"
if [ -n "${BUILT:-}" ]; then
    BUILT=$(cd "$BUILT" && pwd)
    export TREE="$tree" BUILT
    cp -R debian "$place/"
elif git rev-parse -q --verify HEAD >/dev/null 2>&1; then
    git archive HEAD | tar -x -C "$place"
else
    tar -c --exclude=./build --exclude=./work --exclude="./${out#"$tree"/}" . | tar -x -C "$place"
fi
name=${DEBFULLNAME:-$(git config user.name 2>/dev/null || id -un)}
email=${DEBEMAIL:-${EMAIL:-$(git config user.email 2>/dev/null || echo "$(id -un)@$(uname -n)")}}
who="$name <$email>"
awk -v WHO="$who" '/^Maintainer:/ { $0 = "Maintainer: " WHO } !/^#/' debian/control >"$place/debian/control"
# The editor of the course in a browser comes from npm, which who builds packages need not reach: what is bundled here goes along.
BUILD=$tree/build sh "$tree/serve/page/editor/install.sh" >"$out/editor.log" 2>&1 || true
if [ -z "${BUILT:-}" ] && [ -f "$tree/build/serve/editor.js" ]; then cp "$tree/build/serve/editor.js" "$place/serve/page/bundle.js"; fi
awk -v VERSION="$version" -v DATE="$date" -v WHO="$who" -f debian/changelog.awk CHANGELOG.md >"$place/debian/changelog"

cd "$place"
unset MAKEFLAGS MAKELEVEL BUILD
dpkg-buildpackage --no-sign "$kind" -d -j"$(nproc)" >"$out/log" 2>&1 || { tail -n 20 "$out/log" >&2; refuse "the packages could not be built" "look at $out/log"; }
cd "$out"
rm -rf "$place"
ls ./*"_$version"_*.deb
