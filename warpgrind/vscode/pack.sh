#!/bin/sh
# pack.sh OUT.vsix VERSION - packs the editor's extension: the manifest beside this, with that version ("0.1" is 0.1.0 to npm), by npm's vsce (pack/package-lock.json: one
# that Node 18 runs). Packed twice, it is the same byte for byte (repack.js). Packages go to BUILD/vsce, from whatever registry npm is set up for. Exit status 1,
# and a line on stderr, when they cannot be had.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
case $2 in *.*.*) version=$2 ;; *) version=$2.0 ;; esac
modules=${BUILD:-build}/vsce
mkdir -p "$modules"
sh "$here/../npm.sh" "$here/pack" "$modules" @vscode/vsce >"$modules/npm.log" 2>&1 || { echo "pack.sh: npm ci brought no vsce ($(grep -m 1 -i error "$modules/npm.log"))" >&2; exit 1; }
modules=$(cd "$modules" && pwd)
case $out in /*) ;; *) out=$PWD/$out ;; esac
staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
mkdir "$staged/extension"
sed "s/\"version\": \"0.0.0\"/\"version\": \"$version\"/" "$here/package.json" >"$staged/extension/package.json"
cp "$here/README.md" "$here/../../LICENSE" "$staged/extension/"
cd "$staged/extension"
node "$modules/node_modules/@vscode/vsce/vsce" package --no-dependencies --no-git-tag-version --allow-missing-repository --out "$staged/packed.vsix" >../vsce.log 2>&1 || { cat ../vsce.log >&2; exit 1; }
TZ=UTC0 NODE_PATH="$modules/node_modules" node "$here/repack.js" "$staged/packed.vsix" "$out"
