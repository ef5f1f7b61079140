# page.awk - the results of run.sh as a page: the sums, the errors that are true, and each program that did not end right.
function key(collection, compiler) { return "| " collection " | " compiler }
{
    gsub(/\|/, "\\|", $6)
    k = key($1, $3)
    if (!(k in all)) order[++keys] = k
    all[k]++
    count[k, $4]++
    if ($4 != "right") rest[++others] = "| " $2 " | " $3 " | " $4 " | " $6 " |"
}
END {
    print "# What strangers wrote\n"
    print "Published programs as they are, built by `warpcc` (clang) and by nvcc, each run under `warpgrind` with every check, " limit " seconds at most."
    print "`make strangers DIR=folder` makes this page; `tests/strangers/programs.txt` is the table of programs. Nothing of their code is in this tree.\n"
    print "| collection | compiler | programs | right | slow | refused at the build | wrong | an error that is not known to be true |\n|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= keys; i++) {
        k = order[i]
        print k, "|", all[k], "|", count[k, "right"] + 0, "|", count[k, "slow"] + 0, "|", count[k, "refused"] + 0, "|", count[k, "wrong"] + 0, "|", count[k, "finding"] + 0, "|"
    }
    print "\n*Right* is an exit status of 0, the output that the table demands, and no error but those below.\n"
    print "## Errors that are true\n\n| program | kind | published line | what is wrong there |\n|---|---|---|---|"
    while ((getline line < findings) > 0) if (line !~ /^#/ && line != "") print "| " line " |"
    print "\n## The others\n\n| program | compiler | verdict | why |\n|---|---|---|---|"
    for (i = 1; i <= others; i++) print rest[i]
}
