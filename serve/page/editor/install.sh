#!/bin/sh
# Brings the packages of package-lock.json through npm, and bundles the editor into BUILD/serve/editor.js, when it is missing or older: `make setup-serve`
# and `make serve` call it. Exit status 0 when it is there; pages have a plain text area without it. What people download has it bundled (bundle.js, of
# .ci/release and debian/deb.sh), and needs no npm.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 3
build=$(realpath -m "${BUILD:-build}")
[ ! -f "$here/../bundle.js" ] || { mkdir -p "$build/serve" && cp -u "$here/../bundle.js" "$build/serve/editor.js"; exit; }
modules=$build/serve-editor bundle=$build/serve/editor.js
if [ -f "$bundle" ] && [ "$bundle" -nt "$here/editor.js" ] && [ "$bundle" -nt "$here/package-lock.json" ]; then exit 0; fi
mkdir -p "$build/serve" || exit 3
sh "$here/../../../warpgrind/npm.sh" "$here" "$modules" .bin/esbuild || exit
cp "$here/editor.js" "$modules/editor.js" && cd "$modules" || exit 3
# Each package's licence stays in the bundle.
node_modules/.bin/esbuild editor.js --bundle --format=esm --minify --target=es2022 --legal-comments=eof --log-level=warning --outfile="$bundle.new" || exit 1
{ cat "$bundle.new"; echo '/*'; for package in $(node -e 'console.log(Object.keys(JSON.parse(require("fs").readFileSync("package-lock.json")).packages).filter(p => /codemirror|lezer|marijn|crelt|style-mod|w3c/.test(p)).join(" "))'); do
    echo "$package:"; cat "$package/LICENSE" 2>/dev/null; done | sed 's,\*/,* /,g'; echo '*/'; } >"$bundle.all" && rm -f "$bundle.new" && mv "$bundle.all" "$bundle"
