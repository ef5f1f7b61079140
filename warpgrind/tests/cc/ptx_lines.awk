# ptx_lines.awk - reads a PTX file twice; prints "LINE<tab>instruction" for the instructions that come from SOURCE, and
# "other<tab>instruction" for those of any other file.
function base(path) { sub(/.*\//, "", path); gsub(/"/, "", path); return path }
NR == FNR { if ($1 == ".file") names[$2] = base($3); next }
$1 == ".section" { exit }
$1 == ".loc" { file = $2; line = $3; next }
statement == "" && (/^[ \t]*(\.|\/\/|\$|L[A-Za-z_0-9]*:|[{}()])/ || /:[ \t]*$/ || /^[ \t]*$/) { next }
{ statement = statement $0 " " } # calls stand on several lines
/;/ {
    if (file != "") print (names[file] == source ? line : "other") "\t" statement
    statement = ""
}
