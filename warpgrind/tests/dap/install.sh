#!/bin/sh
# Brings the published client of the debug adapter's tests into BUILD/dap: `make setup-tests` calls it, and so does run.sh. Exit status 0 when it is there.
here=$(cd "$(dirname "$0")" && pwd) || exit 3
exec sh "$here/../../npm.sh" "$here" "${BUILD:-build}/dap" @vscode/debugadapter-testsupport
