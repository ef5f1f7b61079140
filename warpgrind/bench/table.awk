# table.awk - the lines of the speed programs (after the titles of shapes.def) as one table per piece of work, each time as a ratio to ours with all checks (-O2 PTX).
function label(kind, what, checks) {
    if (kind == "plain") return "plain C, -O3, one core"
    if (kind != "machine") return what
    sub(/^.*-/, "", what); sub(/\.ptx$/, "", what)
    return "warpgrind, " (checks == "none" ? "no" : checks) " checks, -" what " PTX"
}
FNR == NR { title[$1] = $3; next }
$1 == "scaling" || $1 == "pattern" { next } # limits.awk
{
    name = label($1, $2, $4)
    if (!($3 in seen)) { order[++works] = $3; seen[$3] = 1 }
    if (!(name in known)) { rows[++row_count] = name; known[name] = 1 }
    seconds[$3, name] = $5; instructions[$3, name] = $6
}
END {
    own = "warpgrind, all checks, -O2 PTX"
    for (w = 1; w <= works; w++) {
        work = order[w]
        printf "\n%s\n  %-42s %12s %18s %14s\n", title[work], "", "ms", "thread instr/s", "time / ours"
        for (r = 1; r <= row_count; r++) {
            name = rows[r]
            if (!((work, name) in seconds)) continue
            rate = instructions[work, name] ? sprintf("%.2e", instructions[work, name] / seconds[work, name]) : "-"
            printf "  %-42s %12.3f %18s %14.3f\n", name, 1000 * seconds[work, name], rate, seconds[work, name] / seconds[work, own]
            if (instructions[work, name]) { log_rate[name] += log(instructions[work, name] / seconds[work, name]); rated[name]++ }
            log_ratio[name] += log(seconds[work, name] / seconds[work, own]); ratios[name]++
        }
    }
    printf "\ngeometric means over the three\n  %-42s %18s %14s\n", "", "thread instr/s", "time / ours"
    for (r = 1; r <= row_count; r++) {
        name = rows[r]
        rate = rated[name] ? sprintf("%.2e", exp(log_rate[name] / rated[name])) : "-"
        printf "  %-42s %18s %14.3f\n", name, rate, exp(log_ratio[name] / ratios[name])
    }
}
