#!/bin/sh
# Brings the packages of package-lock.json into build/browser, for the tests in a browser, when they are missing or others: `make setup` calls it,
# and so does run.sh. They come through npm from whatever registry npm is set up for. Exit status 0 when they are there.
set -u
cd "$(dirname "$0")/../.." || exit 3
modules=build/browser
! cmp -s tests/browser/package-lock.json "$modules/package-lock.json" || [ ! -d "$modules/node_modules/playwright-core" ] || exit 0
mkdir -p "$modules" && cp tests/browser/package.json tests/browser/package-lock.json "$modules/" || exit 3
(cd "$modules" && npm ci --ignore-scripts --no-audit --no-fund --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000) || { rm -f "$modules/package-lock.json"; exit 1; }
