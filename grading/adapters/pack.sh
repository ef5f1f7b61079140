#!/bin/sh
# A tree that builds the judge, with hidden cases and without solutions, tests and pages, as a tar file: pack.sh FILE
set -eu
cd "$(dirname "$0")/../.."
case $1 in /*) out=$1 ;; *) out=$PWD/$1 ;; esac
git ls-files -co --exclude-standard |
    grep -vE '^(solutions|docs|bench|tests|warpgrind/docs|warpgrind/bench|warpgrind/tests|\.ci|\.devcontainer)/' >"$out.files"
git ls-files -co --exclude-standard -- docs/build '*rules.mk' 'warpgrind/tests/*.mk' >>"$out.files"
tar --sort=name --owner=0 --group=0 --numeric-owner -czf "$out" -T "$out.files"
rm "$out.files"
