#!/bin/sh
# Brings the packages of the tests in a browser into build/browser: `make setup-tests` calls it, and so does run.sh. Exit status 0 when they are there.
cd "$(dirname "$0")/../.." || exit 3
exec sh warpgrind/npm.sh tests/browser build/browser playwright-core
