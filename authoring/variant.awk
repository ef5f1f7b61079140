# variant.awk - makes a wrong file, or another right one, of a new lesson from its solution: `awk -f variant.awk VARIANT SOLUTION`. So each says only what
# it does in another way. Of a VARIANT
#
#   // Wrong: ...          lines before the first < are its head, in place of the solution's
#   < line                 this line of the solution, white space aside,
#   > line                 becomes this one, or these, with its indentation; without one it is left out
#   // told: ...           lines after all that are its last
#
# What marks the starter's regions is left out.
function trimmed(line) {
    gsub(/^[ \t]+|[ \t]+$/, "", line)
    return line
}
FNR == NR && /^< / { old[++changes] = trimmed(substr($0, 3)); next }
FNR == NR && /^> / { new[changes] = new[changes] "\n" substr($0, 3); next }
FNR == NR && changes { tail = tail $0 "\n"; next }
FNR == NR { print; next }
FNR == 1 { head = 1 }
head && /^\/\// { next }
{ head = 0 }
/^[ \t]*\/\/ (>>>|>|<<<)/ || /^[ \t]*\/\/\+/ { next }
{
    for (i = 1; i <= changes; i++)
        if (!done[i] && trimmed($0) == old[i]) break
    if (i > changes) { print; next }
    done[i] = 1
    match($0, /^[ \t]*/)
    count = split(substr(new[i], 2), lines, "\n")
    for (k = 1; k <= count; k++) print substr($0, 1, RLENGTH) lines[k]
}
END {
    printf "%s", tail
    for (i = 1; i <= changes; i++)
        if (!done[i]) { print ARGV[1] ": the solution has no line: " old[i] > "/dev/stderr"; failed = 1 }
    exit failed
}
