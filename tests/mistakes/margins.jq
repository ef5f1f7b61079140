# What is wrong with a report (warpgrind's, or warpschool's result), one line each. $wanted[0] holds the margins of the source $file,
# $usual[0] the usual severity of each kind.
def other_line: .other.line // .other_line // 0;
def names($line): (.line == $line and (.file | endswith($file))) or other_line == $line;
def is($kind; $severity): .kind == $kind and .severity == $severity;
def is_near: .how == "near" or .how == "near-note";

.findings as $found
| [$wanted[0][] | . as $margin | .kinds[] | {kind: ., how: $margin.how, line: $margin.line}] as $margins
| ($found | map("\(.severity) \(.kind) \(.line)") | tojson) as $all
| if .schema == null then "no report" else
    ($margins[] | . as $m
     | if .how == "expect" and all($found[]; (is($m.kind; "error") and names($m.line)) | not) then
           "expected \(.kind) in line \(.line), found \($all)"
       elif .how == "expect-note" and all($found[]; (is($m.kind; "note") and names($m.line)) | not) then
           "expected the note \(.kind) in line \(.line), found \($all)"
       elif .how == "expect-unplaced" and all($found[]; is($m.kind; "error") | not) then "expected \(.kind), found \($all)"
       elif .how == "near" and any($found[]; is($m.kind; $usual[0][$m.kind])
               and (names($m.line) or all($margins[]; .kind != $m.kind or is_near))) then
           "line \(.line) is only near \(.kind), found \($all)"
       elif .how == "near-note" and any($found[]; is($m.kind; "note")
               and (names($m.line) or all($margins[]; .kind != $m.kind or is_near))) then
           "line \(.line) is only near the note \(.kind), found \($all)"
       else empty end),
    ($found[] | . as $f | select(.severity == "error")
     | select(all($margins[]; is_near or .kind != $f.kind or (.line as $line | .how == "expect" and ($f | names($line) | not))))
     | "unexpected \(.kind) in line \(.line): \(.message)")
  end
