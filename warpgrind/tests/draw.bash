# draw.bash - what one run of the tests takes of what all of them are, from here: suite.bash draws cases by it, run.sh whole suites.

# changed_files: what the commit or the work tree changes, or all since the commit SINCE, as paths from here.
changed_files() { { git diff --relative --name-only "${SINCE:-HEAD~1}" && git ls-files --others --exclude-standard; } 2>/dev/null | sort -u; }

# drawn PARTS WHAT: of the lines of the standard input about one in PARTS, others with each commit, those besides that name a file that the commit or the work tree
# changes, or a folder above it, and a line on the standard error that says so. All with FILTER, and with WHOLE (make test-all).
drawn() {
    if [ -n "${WHOLE:-}${FILTER:-}" ]; then
        cat
        return
    fi
    awk -v commit="$(git rev-parse HEAD 2>/dev/null)" -v parts="$1" -v what="$2" '
        BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i }
        of_changes { for (path = $0; path != ""; sub("/?[^/]*$", "", path)) changed[path]; next }
        {
            words = commit " " $0
            sum = 7
            for (i = 1; i <= length(words); i++) sum = (sum * 31 + code[substr(words, i, 1)]) % 1000003
            for (i = 0; i < 3; i++) sum = (sum * sum + 12345) % 1000003
            take = int(sum / 101) % parts == 0
            for (i = 1; !take && i <= NF; i++) take = $i in changed
            lines++
            if (take) { print; taken++ }
        }
        END { printf "DRAWN %d of %d %s; make test-all takes all\n", taken, lines, what >"/dev/stderr" }' of_changes=1 <(changed_files) of_changes=0 -
}
