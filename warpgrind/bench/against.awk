# against.awk - the lines of against.sh as a table: each shape's least and middle time on both commits, and how many times faster it is here.
# The last column is the other commit against itself.
function middle(key,   n, i, j, t, list) {
    n = split(all[key], list, " ")
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && list[j - 1] + 0 > list[j] + 0; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
    return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}
FNR == NR { group[$1] = $2; next }
{
    key = $2 SUBSEP $3 SUBSEP $1
    if (!(($2, $3) in seen)) { rows[++count] = $2 SUBSEP $3; seen[$2, $3] = 1 }
    if (!(key in least) || $4 < least[key]) least[key] = $4
    all[key] = all[key] " " $4
}
END {
    printf "processor time of one launch, milliseconds; %s is the other commit\n", commit
    printf "  %-18s %6s %10s %10s %8s %10s %10s %8s %8s\n", "", "checks", commit, "here", "faster", "middle", "here", "faster", "noise"
    for (r = 1; r <= count; r++) {
        split(rows[r], row, SUBSEP)
        there = least[rows[r], "there"]; again = least[rows[r], "again"]; here = least[rows[r], "here"]
        was = middle(rows[r] SUBSEP "there"); now = middle(rows[r] SUBSEP "here")
        printf "  %-18s %6s %10.2f %10.2f %8.2f %10.2f %10.2f %8.2f %8.2f\n", row[1], row[2], 1e3 * there, 1e3 * here, there / here, 1e3 * was, 1e3 * now, was / now, there / again
        mean = group[row[1]] SUBSEP row[2]
        if (!(mean in logs)) means[++mean_count] = mean
        logs[mean] += log(there / here); members[mean]++
    }
    for (m = 1; m <= mean_count; m++) {
        split(means[m], row, SUBSEP)
        if (members[means[m]] > 1) printf "  mean of %d %-8s %6s %30.2f\n", members[means[m]], row[1], row[2], exp(logs[means[m]] / members[means[m]])
    }
}
