#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the autograder's image: the packages that judging needs, and the toolkit.
set -eu
cd /autograder
mkdir -p warpschool
tar -xzf source/warpschool.tar.gz -C warpschool
cd warpschool
# shellcheck disable=SC2046 # a list of words
DEBIAN_FRONTEND=noninteractive sh -c 'apt-get update && apt-get install -y --no-install-recommends make $(sh grading/adapters/packages.sh)'
make all
