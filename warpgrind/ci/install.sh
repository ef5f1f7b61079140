#!/bin/sh
# Installs warpgrind on a runner, from the tree that this file is in, unless it is there already: packages by apt-get, then make install. PREFIX is
# where; /usr/local when not given.
set -eu
if command -v warpgrind >/dev/null 2>&1; then
    warpgrind --version
    exit 0
fi
run=
[ "$(id -u)" -eq 0 ] || run=sudo
$run apt-get update -qq
tree=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck disable=SC2046 # a list of words
$run env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends make $(sh "$tree/packages.sh" --list) >/dev/null
build=$(mktemp -d)
make -s -C "$tree" BUILD="$build" -j"$(nproc)" all
$run make -s -C "$tree" BUILD="$build" PREFIX="${PREFIX:-/usr/local}" install
rm -rf "$build"
warpgrind --version
