#!/bin/sh
# npm.sh FOLDER MODULES FILE - brings the packages of FOLDER/package-lock.json into MODULES when FILE of them (under node_modules) is missing, or another
# list was there. They come through npm from whatever registry npm is set up for; no package's own script is run. Exit status 0 when they are there.
set -u
folder=$1 modules=$2 file=$3
! cmp -s "$folder/package-lock.json" "$modules/package-lock.json" || [ ! -e "$modules/node_modules/$file" ] || exit 0
command -v npm >/dev/null 2>&1 || { echo "error: npm is not installed" >&2; exit 1; }
mkdir -p "$modules" && cp "$folder/package.json" "$folder/package-lock.json" "$modules/" || exit 3
cd "$modules" || exit 3
npm ci --ignore-scripts --no-audit --no-fund --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000 || { rm -f package-lock.json; exit 1; }
