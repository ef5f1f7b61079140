#!/bin/sh
# From the start of a small program to its end on the software GPU, beside a program that does nothing at all. Medians of 50.
# $1: build folder.
set -u
build=$1
if ! command -v hyperfine >/dev/null || ! command -v jq >/dev/null; then
    echo "bench: hyperfine or jq is not installed: no times of a start (packages hyperfine, jq)"
    exit 0
fi
times=$build/bench/start.json
hyperfine -N --warmup 5 --runs 50 --export-json "$times" true "$build/bin/warpgrind --quiet $build/bench/smallest" >/dev/null 2>&1
jq -r '.results | ["\nstart to end of a small program, medians of 50",
    (.[0] | "  true                          \(.median * 1e5 | round / 100) ms"),
    (.[1] | "  warpgrind smallest (1 launch) \(.median * 1e5 | round / 100) ms, of the processor \((.user + .system) * 1e5 | round / 100) ms")][]' "$times"
