#!/bin/sh
# Brings the packages of package-lock.json into BUILD/dap, for the suite `dap`, when they are missing or others: `make setup-tests` calls it, and so
# does run.sh. They come through npm from whatever registry npm is set up for. Exit status 0 when they are there.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 3
modules=${BUILD:-build}/dap
! cmp -s "$here/package-lock.json" "$modules/package-lock.json" || [ ! -d "$modules/node_modules/@vscode/debugadapter-testsupport" ] || exit 0
mkdir -p "$modules" && cp "$here/package.json" "$here/package-lock.json" "$modules/" || exit 3
(cd "$modules" && npm ci --ignore-scripts --no-audit --no-fund --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000) || { rm -f "$modules/package-lock.json"; exit 1; }
