# starter.awk - cuts the marked regions out of a solution; what is left is the starter.
#
#   // >>> text           becomes "// Your turn: text", with the marker's indentation; what follows is left out, but
#   // > more text        becomes "// more text" (a second line of the instruction), and
#   //+ line              becomes "line" (a placeholder that only the starter has)
#   // <<<                ends the region
#   // [name]  // [/name] mark what the lesson's page shows; they are left out
function fail(message) {
    printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
    failed = 1
    exit 1
}
function indentation(line) {
    match(line, /^[ \t]*/)
    return substr(line, 1, RLENGTH)
}
/^[ \t]*\/\/ >>>/ {
    if (inside) fail("a region inside a region")
    inside = FNR
    text = $0
    sub(/^[ \t]*\/\/ >>>[ \t]*/, "", text)
    print indentation($0) "// Your turn" (text == "" ? "" : ": " text)
    next
}
/^[ \t]*\/\/ <<</ {
    if (!inside) fail("the end of a region that has no beginning")
    inside = 0
    next
}
/^[ \t]*\/\/ \[\/?[A-Za-z0-9_-]+\][ \t]*$/ { next }
/^[ \t]*\/\/\+/ {
    if (!inside) fail("a placeholder outside a region")
    text = $0
    sub(/^[ \t]*\/\/\+ ?/, "", text)
    print (text == "" ? "" : indentation($0) text)
    next
}
inside && /^[ \t]*\/\/ > / {
    text = $0
    sub(/^[ \t]*\/\/ > /, "", text)
    print indentation($0) "// " text
    next
}
# A formatter that joins the lines of an instruction would cut it short in the starter.
inside && FNR == inside + 1 && /^[ \t]*\/\/ [^\[]/ { fail("a comment directly behind an instruction: begin it with // >") }
!inside { print }
END {
    if (!failed && inside) {
        printf "%s:%d: the region that begins here has no end\n", FILENAME, inside > "/dev/stderr"
        exit 1
    }
}
