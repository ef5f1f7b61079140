# names.awk - the names that preprocessed headers of CUDA declare, one a line: those of the runtime's interface (functions, types,
# constants: whatever is called cuda...), and every function that is declared outside of braces. Only text of files that match
# `folder` counts.
/^# [0-9]+ "/ { split($0, part, "\""); ours = part[2] ~ folder; next }
!ours { next }
/^#define cuda/ { split($2, macro, "("); print macro[1]; next }
/^#/ { next }
{
    rest = $0
    while (match(rest, /[A-Za-z_][A-Za-z_0-9]*/)) {
        word = substr(rest, RSTART, RLENGTH)
        if (word ~ /^cuda[A-Z]/) print word
        rest = substr(rest, RSTART + RLENGTH)
    }
    statement = statement " " $0
    gsub(/extern "C(\+\+)?" *\{?/, "", statement)
    while (match(statement, /__attribute__ *\(\([^()]*(\([^()]*\))?[^()]*\)\)|__declspec *\([^()]*\)|__asm__ *\([^()]*\)/))
        statement = substr(statement, 1, RSTART - 1) " " substr(statement, RSTART + RLENGTH)
    while (match(statement, /[;{}]/)) {
        mark = substr(statement, RSTART, 1)
        if (depth == 0 && mark != "}") {
            head = substr(statement, 1, RSTART - 1)
            if (match(head, /[A-Za-z_][A-Za-z_0-9]* *\(/) && substr(head, 1, RSTART) !~ /typedef|operator|=/) {
                name = substr(head, RSTART, RLENGTH - 1)
                gsub(/ /, "", name)
                if (name !~ /^(__attribute__|throw|noexcept|if|while|for|return|sizeof|static_assert|_Static_assert|__nv_|__cuda)/) print name
            }
        }
        match(statement, /[;{}]/)
        statement = substr(statement, RSTART + 1)
        if (mark == "{") depth++
        if (mark == "}" && depth > 0) depth--
    }
}
