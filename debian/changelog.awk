# changelog.awk - the top section of CHANGELOG.md as Debian's changelog, for a package of VERSION, made at DATE by WHO: an area is a heading, a line of the list an entry.
function put(text, first, rest,    line, count, words, i) {
    count = split(text, words, " ")
    line = first
    for (i = 1; i <= count; i++) {
        if (length(line) + length(words[i]) + 1 > 79 && line != first && line != rest) { print line; line = rest }
        line = line (line == first || line == rest ? "" : " ") words[i]
    }
    print line
}
function flush_entry() { if (entry) put(entry, "  * ", "    "); entry = "" }
/^## / { if (inside++) exit; printf "warpschool (%s) unstable; urgency=medium\n\n", VERSION; next }
!inside { next }
/^### / { flush_entry(); sub(/^### /, ""); printf "%s  [ %s ]\n", heading++ ? "\n" : "", $0; next }
/^\* / { flush_entry(); entry = substr($0, 3); next }
/^ +[^ ]/ { entry = entry " " $0 }
END { flush_entry(); printf "\n -- %s  %s\n", WHO, DATE }
