# "PASSED", or what is wrong, for each report (warpgrind's, or warpschool's result) of the input. $wanted[0] holds the margins of the
# source $file, $usual[0] the usual severity of each kind; the lines of $runs say how the reports came about.
def other_line: .other.line // .other_line // 0;
def names($line): (.line == $line and (.file | endswith($file))) or other_line == $line;
def is($kind; $severity): .kind == $kind and .severity == $severity;
def is_near: .how == "near" or .how == "near-note";

# What is counted has separators: "1,024 threads", and never "one" of several or "1 threads".
def counted: "threads?|blocks?|elements?|bytes?|rows?|columns?|texels?|sectors?|turns?|times?|instructions?|launches|calls|lines|operations|fetches|warps?";
def of_several: "threads|blocks|elements|bytes|rows|columns|texels|sectors|turns|times|lines|warps";
def bare_numbers:
    .message, .explanation | strings | scan("(?:^|[ (])(?:[0-9]{4,} (?:" + counted + ")|1 (?:" + of_several + "))\\b");

def problems:
(.findings // []) as $found
| [$wanted[0][] | select(.file | endswith("/" + $file)) | . as $margin | .kinds[] | {kind: ., how: $margin.how, line: $margin.line}] as $margins
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
  end,
  (first($found[] | bare_numbers) | "numbers are written so:\(.)");

($runs | rtrimstr("\n") | split("\n")) as $runs
| [inputs] as $reports
| if ($reports | length) != ($runs | length) then
      "FAILED \($file): \($reports | length) reports of \($runs | length) runs"
  else
      $reports | to_entries[] | $runs[.key] as $run
      | [.value | problems]
      | if length == 0 then "PASSED" else "FAILED \($file | rtrimstr(".cu")) (\($run)): " + join(";") end
  end
