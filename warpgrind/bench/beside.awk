# beside.awk - the lines of beside.sh as a table: each kernel's least time, and how many times plain C's and PoCL's the machine takes. The
# means are geometric, over the rows that have the column.
function cell(row, column) {
    return (row, column) in least ? sprintf("%.2f", 1e3 * least[row, column]) : "-"
}
function ratio(row, a, b,   r) {
    if (!((row, a) in least) || !((row, b) in least)) return "-"
    r = least[row, a] / least[row, b]
    logs[a, b] += log(r); members[a, b]++
    return sprintf("%.1f", r)
}
function mean(a, b) {
    return members[a, b] ? sprintf("%.1f (%d)", exp(logs[a, b] / members[a, b]), members[a, b]) : "-"
}
FNR == NR { title[$1] = $3; next }
{
    if (!($1 in seen)) { rows[++count] = $1; seen[$1] = 1 }
    if (!(($1, $2) in least) || $3 < least[$1, $2]) least[$1, $2] = $3
}
END {
    format = "  %-42s %10s %10s %10s %10s %10s %10s %10s %10s\n"
    printf "\nbeside plain C (-O3, one core) and PoCL (one core): milliseconds of the processor, and how many times theirs\n"
    printf format, "", "all checks", "no checks", "plain C", "PoCL", "all/C", "none/C", "all/PoCL", "none/PoCL"
    for (r = 1; r <= count; r++) {
        n = rows[r]
        printf format, title[n], cell(n, "all"), cell(n, "none"), cell(n, "plain"), cell(n, "pocl"),
            ratio(n, "all", "plain"), ratio(n, "none", "plain"), ratio(n, "all", "pocl"), ratio(n, "none", "pocl")
    }
    printf format, "geometric means (of so many)", "", "", "", "", mean("all", "plain"), mean("none", "plain"), mean("all", "pocl"), mean("none", "pocl")
    if (("product", "tiles") in least)
        printf "  the product in plain C by tiles of 16 x 16, too: %s ms, of which all checks take %.1f times and none %.1f times\n",
            cell("product", "tiles"), least["product", "all"] / least["product", "tiles"], least["product", "none"] / least["product", "tiles"]
    if (("calls", "plain") in least && !(("calls", "pocl") in least)) print "  OpenCL has no recursion: no recursive calls in PoCL"
}
