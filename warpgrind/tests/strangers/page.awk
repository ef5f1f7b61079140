# page.awk - the results of run.sh as a page: the sums, the errors that are true, each program that did not end right, and which were
# made smaller. Variables: limit (seconds), findings and programs (the two tables).
function key(collection, compiler) { return "| " collection " | " (compiler == "clang" ? "warpcc" : "nvcc") }
function trim(text) { gsub(/^ +| +$/, "", text); return text }
function cell(text) { gsub(/\|/, "\\|", text); return text }
{
    k = key($1, $3)
    if (!(k in all)) order[++keys] = k
    all[k]++
    count[k, $4]++
    ran[$2] = 1
    if ($4 != "right") rest[++others] = "| " $2 " | " ($3 == "clang" ? "warpcc" : "nvcc") " | " $4 " | " cell($6) " |"
}
END {
    print "# What strangers wrote\n"
    print "Programs that others published, built by `warpcc` (with clang) or by nvcc, each run under `warpgrind` with every check. `make strangers"
    print "DIR=folder` makes this page; `tests/strangers/programs.txt` is the table of programs: folder, sources, options, arguments, and what the"
    print "output must contain. Nothing of their code is in this tree.\n"
    print "| collection | built by | programs | right | slow | refused | wrong | an error that is not known to be true |\n|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= keys; i++) {
        k = order[i]
        print k, "|", all[k], "|", count[k, "right"] + 0, "|", count[k, "slow"] + 0, "|", count[k, "refused"] + 0, "|", count[k, "wrong"] + count[k, "absent"] + 0, "|", count[k, "finding"] + 0, "|"
    }
    print "\n*Right* is an exit status of 0, the output that the table demands, and no error but those of the next section. *Slow* is more than " limit
    print "seconds of the processor, or stopped by the clock on a busy machine. *Refused* programs need what is not there: a library other than the runtime, a newer standard library, or a"
    print "part of the language that clang does not have (kernels that launch kernels); the last table says what. Most programs compare with a"
    print "reference of their own and say so, or end with another status; myocyte, p2pBandwidthLatencyTest and the cdp samples without a word to"
    print "demand only show that they ended.\n"
    print "Of the 95 samples 91 need the runtime only. MC_EstimatePiInlineQ, MC_EstimatePiP, MC_EstimatePiQ and MonteCarloMultiGPU need cuRAND's"
    print "library as well, which `-lcurand` links; of the 91, interval includes headers of Boost, and segmentationTreeThrust a newer libcu++.\n"
    print "## Errors that are true\n\nEach was looked up in the published source. Most programs end without freeing what they allocated; the others are mistakes that a card hides.\n"
    print "| program | kind | published line | what is wrong there |\n|---|---|---|---|"
    while ((getline line < findings) > 0) {
        split(line, part, "|")
        kind = trim(part[2])
        if (line ~ /^#/ || line == "") continue
        if (kind == "leak") {
            name = trim(part[1])
            if (!(name in leaks)) leaky[++leakers] = name
            leaks[name] = leaks[name] (leaks[name] == "" ? "" : ", ") trim(part[3])
        } else print "| " line " |"
    }
    print "\n| program | allocated and never freed |\n|---|---|"
    for (i = 1; i <= leakers; i++) print "| " leaky[i] " | " leaks[leaky[i]] " |"
    print "\n## The others\n\n| program | built by | verdict | why |\n|---|---|---|---|"
    for (i = 1; i <= others; i++) print rest[i]
    print "\n## Edited\n\nSome programs have sizes for a card that a simulator cannot work through, or that no laptop has memory for, and take none as"
    print "an argument; one shows its result only when a constant says so, one looks for its input in another folder. Their sources are edited"
    print "before they are built, by one `sed` command that changes nothing else.\n\n| program | edit |\n|---|---|"
    while ((getline line < programs) > 0) {
        n = split(line, part, "|")
        if (line !~ /^#/ && n > 8 && trim(part[9]) != "" && trim(part[2]) in ran) print "| " trim(part[2]) " | `" trim(part[9]) "` |"
    }
}
