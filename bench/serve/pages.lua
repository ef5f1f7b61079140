-- pages.lua - for wrk: a page of somebody who is let in; last, a line "requests-per-second p50 p95 p99 errors", times in milliseconds.
wrk.headers["Cookie"] = os.getenv("COOKIE")
function done(summary, latency)
    local errors = summary.errors
    print(string.format("%.0f %.1f %.1f %.1f %d", summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(95) / 1000,
        latency:percentile(99) / 1000, errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
