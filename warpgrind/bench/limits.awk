# limits.awk - how cost grows with the number of threads, and what each pattern of patterns.cu takes: ratios from the
# lines of kernel_speed and patterns.
$1 == "scaling" {
    if (!($3 in first)) { order[++works] = $3; first[$3] = $5 / $2 }
    if (!($2 in known)) { counts[++sizes] = $2; known[$2] = 1 }
    each[$3, $2] = $5 / $2
}
$1 == "pattern" && $3 == "all" { pattern[++patterns] = $2; device[$2] = $4; peak[$2] = $5 }
$1 == "pattern" { rate[$2, $3] = $7 / $6 }
END {
    printf "\ntime of a thread by the number of threads, all checks, -O2 PTX (ns; in brackets, that of 2^12 threads is 1)\n  %-14s", ""
    for (s = 1; s <= sizes; s++) printf " %15s", sprintf("2^%d", log(counts[s]) / log(2) + 0.5)
    for (w = 1; w <= works; w++) {
        printf "\n  %-14s", order[w]
        for (s = 1; s <= sizes; s++) printf " %15s", sprintf("%.2f (%.2f)", 1e9 * each[order[w], counts[s]], each[order[w], counts[s]] / first[order[w]])
    }
    printf "\n\npatterns: thread instructions per second, and memory with every observer on (allowed: 4 x device memory + 64 MiB)\n"
    printf "  %-18s %12s %12s %8s %12s %12s %14s\n", "", "all checks", "no checks", "ratio", "device MiB", "peak MiB", "of the allowed"
    for (p = 1; p <= patterns; p++) {
        n = pattern[p]
        printf "  %-18s %12.2e %12.2e %8.2f %12.0f %12.1f %14.2f\n", n, rate[n, "all"], rate[n, "none"], rate[n, "none"] / rate[n, "all"],
            device[n], peak[n], peak[n] / (4 * device[n] + 64)
    }
}
