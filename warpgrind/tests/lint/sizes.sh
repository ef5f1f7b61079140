#!/bin/sh
# Size gates of the house style for the files $@: a file has at most 800 lines, a function at most 70. Function ends are lines "}" in column
# one, starts the last line before "{" in column one or ending in "{" at column one's definition (the house's layout).
printf '%s\n' "$@" | xargs awk '
    FNR == 1 { if (inside) inside = 0 }
    { lines[FILENAME] = FNR }
    /^[A-Za-z_].*\{$/ && !/^(typedef|struct|enum|union|static const|const|extern)/ && /\(/ { start = FNR; name = $0; inside = 1 }
    /^[A-Za-z_].*\($|^[A-Za-z_].*,$/ && /\(/ { pending = FNR; pending_name = $0 }
    /^[ \t].*\) \{$/ && pending && FNR - pending < 6 && !inside { start = pending; name = pending_name; inside = 1 }
    /^\}/ { if (inside && FNR - start + 1 > 70) { printf "%s:%d: function of %d lines: %s\n", FILENAME, start, FNR - start + 1, name; bad = 1 }
            inside = 0; pending = 0 }
    END { for (f in lines) { n++; if (lines[f] > 800) { printf "%s: %d lines\n", f, lines[f]; bad = 1 } }
          if (!n) { print "sizes: no file found"; bad = 1 }
          if (!bad) printf "sizes: %d files within 800 lines, functions within 70\n", n
          exit bad }'
