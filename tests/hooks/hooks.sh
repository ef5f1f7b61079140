#!/bin/sh
# `make hooks`: has git run tests/hooks/pre-commit.sh before each commit of this checkout. A hook of somebody's own is left alone.
set -eu
cd "$(dirname "$0")/../.."
hook=$(git rev-parse --git-path hooks)/pre-commit
ours='exec sh tests/hooks/pre-commit.sh'
if [ -e "$hook" ] && ! grep -qxF "$ours" "$hook"; then
    printf 'hooks: %s is there, and is not ours\n  remedy: add the line "%s" to it\n' "$hook" "${ours#exec }" >&2
    exit 1
fi
mkdir -p "$(dirname "$hook")"
printf '#!/bin/sh\n%s\n' "$ours" >"$hook"
chmod +x "$hook"
echo "hooks: git runs tests/hooks/pre-commit.sh before each commit"
