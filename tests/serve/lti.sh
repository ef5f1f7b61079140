#!/bin/bash
# Learning platforms (LTI 1.3), by a platform of our own: whoever brings what that has not signed for this server, this browser and this moment is refused with
# words; who is vouched for comes in at the lesson; scores go back, also when the platform was down. Never tried inside a real Canvas or Moodle. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
. tests/serve/serving.bash
. tests/serve/class.bash
if [ ! -x "$build/bin/warpschool-lti" ] || [ ! -x "$build/bin/warpschool-http" ] || ! command -v openssl >/dev/null; then
    echo "SKIPPED learning platforms: libcurl4-openssl-dev, libssl-dev or openssl is not installed (make setup-serve installs them)"
    echo "0 passed, 0 failed"
    exit 77
fi
make_class ann bob cy
there=$work/platform lesson=01-vector-add name=class.example
mkdir "$there"
platform() { python3 tests/serve/platform.py "$@"; }

# ---- the platform, and what the class knows of it ----
for key in key other; do openssl genrsa -out "$there/$key.pem" 2048; done 2>/dev/null
openssl genrsa -out "$there/short.pem" 1024 2>/dev/null
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$there/tls.key" -out "$there/tls.pem" -days 2 -subj /CN=platform -addext subjectAltName=IP:127.0.0.1 2>/dev/null
platform key "$there/key.pem" k-1 >"$there/keys.json"
start_platform() {
    rm -f "$there/port"
    python3 tests/serve/platform.py serve "$there" 2>"$work/platform.err" &
    served=$!
    for ((tries = 0; tries < 300; tries++)); do [ ! -e "$there/port" ] || return 0; sleep 0.1; done
    return 1
}
start_platform || { verdict "a launch" "the platform does not start"; finish; }
trap 'kill "$served" 2>/dev/null' EXIT
far=https://127.0.0.1:$(cat "$there/port")
platforms() { printf '  - {name: p1, issuer: https://platform.example, client: client-1, deployments: [d-1, d-2], student: email, ca: ../platform/tls.pem,\n     login: "%s", keys: %s/keys, token: %s/token}\n' "${2:-https://platform.example/auth?a=b}" "$1" "$1"; }
{ echo platforms:; platforms "$far"; platforms "$far" | sed "s/p1/p2/; s,issuer: https://platform,issuer: https://second,; s/ca: [^,]*,//"; } >"$room/lti.yaml"
cp "$there/tls.pem" "$room/tls.pem" && sed -i 's,\.\./platform/,,' "$room/lti.yaml"

# wrong NAME WORDS SED: the server does not start with such a list.
wrong() {
    cp "$room/lti.yaml" "$work/lti.yaml"
    sed -i "$3" "$room/lti.yaml"
    said=$(timeout 300 "$build/bin/warpschool" --root "$course" serve --class "$room" --port 0 --host $name 2>&1)
    status=$?
    holds "lti.yaml: $1: $(head -n 1 <<<"$said")" "$([ $status -eq 2 ] && grep -q "$2" <<<"$said"; echo $?)"
    cp "$work/lti.yaml" "$room/lti.yaml"
}
wrong "an address without TLS" 'keys. must begin with https' 's,keys: https,keys: http,'
wrong "no file of certificates" "cannot read the certificates" "s,ca: tls.pem,ca: none.pem,"
wrong "no deployment" 'deployments' 's/ deployments: [^]]*],//'
wrong "a way to match that there is not" "sub, sourcedid, email or login" "s/student: email/student: name/"
wrong "two of one name" "two platforms with one name" "s/p2/p1/"
said=$(timeout 300 "$build/bin/warpschool" --root "$course" serve --class "$room" --port 0 2>&1)
status=$?
holds "without --host: $(head -n 1 <<<"$said")" "$([ $status -ne 0 ] && grep -q 'no name was given' <<<"$said"; echo $?)"
start_class -j 1 --host $name || { verdict "a launch" "the server does not start"; finish; }
find_web
verdict "the key is the owner's alone" "$([ -s "$room/lti.key" ] && find "$room/lti.key" -perm /077 || echo 'there is none')"

# ---- a browser on its way ----
# call OPTIONS... PATH: the status; headers and page are in $work.
call() { curl -s --max-time 60 -D "$work/heads" -o "$work/answer" -w '%{http_code}' -H "Host: $name" "${@:1:$#-1}" "$address${*: -1}"; }
header() { sed -n "s/^$1: \(.*\)\r$/\1/Ip" "$work/heads"; }
# part NAME URL: a field of an address, decoded.
part() { python3 -c 'import sys, urllib.parse as u; print(dict(u.parse_qsl(u.urlsplit(sys.argv[2]).query)).get(sys.argv[1], ""), end="")' "$1" "$2"; }
# simple NAME: a field of $went that has no letters to decode but slashes.
simple() { sed "s/.*[?&]$1=\([^&]*\).*/\1/; s,%2F,/,g" <<<"$went"; }
issuer=https://platform.example
# login PLACE [HOW OPTIONS...]: begins one, by an address (-G) or otherwise; leaves $cookie, $state, $nonce and $target.
login() {
    target=https://$name$1
    call "${2:--G}" --data-urlencode "iss=$issuer" --data-urlencode login_hint=me --data-urlencode "target_link_uri=$target" --data-urlencode 'lti_message_hint=a b+c&d' "${@:3}" /lti/login >"$work/status"
    went=$(header Location) cookie=$(header Set-Cookie) state=$(simple state) nonce=$(simple nonce)
    cookie_words=$cookie cookie=${cookie%%;*}
}
mint() { curl -s --cacert "$there/tls.pem" --data-urlencode "nonce=$nonce" --data-urlencode "target=$target" --data-urlencode "change=$1" "$far/mint"; }
# bring TOKEN [OPTIONS...]: what the platform's page lets the browser send.
bring() { call -H "Cookie: $cookie" -H 'Origin: https://platform.example' -H 'Sec-Fetch-Site: cross-site' -H 'Sec-Fetch-Mode: navigate' --data-urlencode "state=$state" --data-urlencode "id_token=$1" "${@:2}" /lti/launch; }
# launched NAME STATUS WORDS CHANGE [PLACE]: a login, the token after CHANGE, and what is said to it.
launched() {
    login "${5:-/lessons/$lesson.html}"
    local said
    said=$(bring "$(mint "$4")")
    verdict "$1" "$([ "$said" = "$2" ] && { [ -z "$3" ] || grep -q "$3" "$work/answer"; } || echo "$said: $(head -c 400 "$work/answer")")"
}
come() { cookies[$1]=$(header Set-Cookie | sed 's/;.*//'); }

login "/lessons/$lesson.html"
verdict "a login leads to the platform, with its hints, our address, and a nonce" "$([ "$(cat "$work/status")" = 303 ] && [[ $went == https://platform.example/auth?a=b\&* ]] && [ "$(part redirect_uri "$went")" = "https://$name/lti/launch" ] &&
    [ "$(part lti_message_hint "$went") $(part login_hint "$went") $(part client_id "$went") $(part response_mode "$went") $(part prompt "$went") $(part scope "$went")" = 'a b+c&d me client-1 form_post none openid' ] && [ "${#nonce}" = 32 ] || echo "$went")"
holds "its cookie comes along with the platform's form, and with nothing but that" "$(grep -q '; Path=/lti; Max-Age=600; HttpOnly; SameSite=None; Secure$' <<<"$cookie_words"; echo $?)"
first=$state$nonce$cookie
login "/lessons/$lesson.html" --post301 -H 'Origin: https://platform.example'
verdict "each login is another one, by a form as well" "$([ "$(cat "$work/status")" = 303 ] && [ "$state$nonce$cookie" != "$first" ] && [ "${#nonce}" = 32 ] || cat "$work/status")"
# In a frame of the platform's page there would be no cookie: a page that may stand there offers the same login in a window of its own.
for how in -G --post301; do
    login "/lessons/$lesson.html" $how -H 'Sec-Fetch-Dest: iframe'
    link=$(sed -n 's/.*<a target="_blank" href="\([^"]*\)">.*/\1/p' "$work/answer" | sed 's/&amp;/\&/g')
    verdict "in a frame ($how), a login is begun in a window of its own" "$([ "$(cat "$work/status")" = 200 ] && [ -z "$went$cookie_words" ] && grep -q 'opens in a window of its own' "$work/answer" && [ "$(part iss "$link") $(part login_hint "$link") $(part lti_message_hint "$link") $(part target_link_uri "$link")" = "$issuer me a b+c&d $target" ] || cat "$work/heads" "$work/answer")"
    holds "its page may stand there ($how)" "$([ -z "$(header X-Frame-Options)" ] && header Content-Security-Policy | grep -q 'frame-ancestors https:;'; echo $?)"
done
call "$link" >"$work/status"
went=$(header Location)
verdict "and its link leads to the platform" "$([ "$(cat "$work/status") $(part login_hint "$went") $(part lti_message_hint "$went")" = '303 me a b+c&d' ] && [ -n "$(header Set-Cookie)" ] || cat "$work/heads" "$work/answer")"
# begun NAME WORDS OPTIONS...: a login that leads nowhere.
begun() { said=$(call -G --data-urlencode login_hint=me "${@:3}" /lti/login); verdict "$1" "$([ "$said" = 403 ] && grep -q "$2" "$work/answer" && [ -z "$(header Location)" ] || echo "$said: $(cat "$work/answer")")"; }
begun "a login of an unknown platform" 'is registered here' -d iss=https://evil.example -d "target_link_uri=https://$name/"
begun "a login of an unknown client" 'is registered here' -d iss=https://platform.example -d client_id=client-2 -d "target_link_uri=https://$name/"
for place in https://evil.example/ "https://$name.evil.example/" "https://$name@evil.example/" "https://$name/../x" "https://$name//evil.example/" "http://$name/"; do
    begun "a login about another's address: $place" 'none of this course' -d iss=https://platform.example --data-urlencode "target_link_uri=$place"
done

# ---- launches that are refused, each by one thing ----
while IFS='|' read -r what words change; do
    launched "refused: $what" 403 "$words" "$change"
done <<'END'
another audience|made for another tool|c["aud"] = "client-2"
an audience of others|made for another tool|c["aud"] = ["client-2", "client-3"]
two audiences, and no party|made for another tool|c["aud"] = ["client-1", "client-2"]
another party|made for another tool|c["azp"] = "client-2"
no audience|made for another tool|del c["aud"]
another issuer|another platform|c["iss"] = "https://platform.example/"
no issuer|another platform|del c["iss"]
a key that is not published|does not publish|h["kid"] = "k-2"; key = folder + "/other.pem"
no name of a key|does not publish|del h["kid"]
another key under the name of theirs|not what your learning platform has signed|key = folder + "/other.pem"
no signature (alg none)|RS256 alone|h["alg"] = "none"; key = None
no signature, in other letters|RS256 alone|h["alg"] = "nOnE"; key = None
no signature, and RS256 all the same|not what your learning platform has signed|key = None
a signature by the public key as a secret (HS256)|RS256 alone|h["alg"] = "HS256"; secret = modulus(key)
the same, called RS256|not what your learning platform has signed|secret = modulus(key)
another hash (RS512)|RS256 alone|h["alg"] = "RS512"
a key of its own in the header|not what your learning platform has signed|key = folder + "/other.pem"; h["jwk"] = {"kty": "RSA", "n": encode(modulus(key)), "e": "AQAB"}; h["jku"] = "https://evil.example/keys"
a header that must be understood|no signed token|h["crit"] = ["exp"]
altered words|not what your learning platform has signed|#then#parts = t.split("."); claims = json.loads(decode(parts[1])); claims["sub"] = "u-bob"; t = ".".join([parts[0], dump(claims), parts[2]])
an altered signature|not what your learning platform has signed|#then#t = t[:-20] + ("A" if t[-20] != "A" else "B") + t[-19:]
a signature that is cut|not what your learning platform has signed|#then#t = t[:-6]
a signature with more behind it|no signed token|#then#t = t + "."
no token|no signed token|#then#t = "a.b.c"
two parts|no signed token|#then#t = t.rpartition(".")[0]
claims that are no object|no signed token|c = [1]
JSON without end|no signed token|#then#t = dump({"alg": "RS256", "kid": "k-1"}) + "." + encode(b'{"a":' * 5000) + ".AAAA"
expired|has expired|c["exp"] = now - 60; c["iat"] = now - 120
made long ago|has expired|c["iat"] = now - 7200
not yet valid|not good yet|c["iat"] = now + 600; c["exp"] = now + 900
not before later|not good yet|c["nbf"] = now + 600
no end|from when until when|del c["exp"]
an end in words|from when until when|c["exp"] = "tomorrow"
no beginning|from when until when|del c["iat"]
another nonce|another login|c["nonce"] = "0" * 32
no nonce|another login|del c["nonce"]
another deployment|its deployment|c[CLAIM("deployment_id")] = "d-3"
no deployment|its deployment|del c[CLAIM("deployment_id")]
another message|only links to a resource|c[CLAIM("message_type")] = "LtiDeepLinkingRequest"
another version|only links to a resource|c[CLAIM("version")] = "1.1"
no link|only links to a resource|del c[CLAIM("resource_link")]
another target|another place than it said|c[CLAIM("target_link_uri")] = c[CLAIM("target_link_uri")].replace("01-", "02-")
nobody|does not say who you are|del c["sub"]
a name without end|does not say who you are|c["sub"] = "u" * 300
a stranger|not in the list|c["sub"] = "u-eve"; c["email"] = "eve@school.example"
an empty address|not in the list|c["sub"] = "u-eve"; c["email"] = ""
END
issuer=https://second.example
launched "refused: the keys of somebody whose certificate nobody believes" 403 'does not answer at .*certificate' 'c["iss"] = "https://second.example"'
issuer=https://platform.example
verdict "whoever was refused has left nothing" "$(rows 'SELECT * FROM lti_user UNION ALL SELECT 1, 1, 1, 1 FROM session UNION ALL SELECT nonce, 1, 1, 1 FROM lti_launch')"

# ---- the state ----
login /
token=$(mint '') other=$state
brought() { verdict "refused: $1" "$([ "$2" = 403 ] && grep -q 'has not begun this login\|did not let you go on' "$work/answer" || echo "$2: $(cat "$work/answer")")"; }
own=$cookie
cookie=; brought "a launch without the login's cookie" "$(bring "$token")"
cookie=${own%=*}=00000000000000000000000000000000; brought "a launch with another browser's cookie" "$(bring "$token")"
cookie=$own
holds "what is said to it may stand in a frame, where it says to leave it" "$([ -z "$(header X-Frame-Options)" ] && grep -q 'in a window of its own' "$work/answer"; echo $?)"
for state in "${other}x" "0${other#*.}" "9$other" "${other%.*}.lessons" x "" "${other/.p1./.p2.}"; do brought "another state: $state" "$(bring "$token")"; done
state=$other; brought "the platform's own refusal" "$(bring "" -d error=login_required)"
verdict "a token of 100 kB" "$(said=$(bring "$(head -c 100000 /dev/zero | tr '\0' a)"); [ "$said" = 413 ] || echo "$said")"

# ---- a good launch ----
launched "a student comes in" 303 '' ''
verdict "at the lesson of the link, with a cookie of their own" "$([ "$(header Location)" = "/lessons/$lesson.html" ] && header Set-Cookie | grep -q '^warpschool_[0-9]*=.*; HttpOnly; SameSite=Lax; Secure' || cat "$work/heads")"
come ann
says "and is let in with it" 200 ann -H "Host: $name" "/lessons/$lesson.html"
call -H "Cookie: ${cookies[ann]}" "/lessons/$lesson.html" >/dev/null
holds "no page behind it may stand in a frame of another site" "$([ "$(header X-Frame-Options)" = SAMEORIGIN ] && header Content-Security-Policy | grep -q "frame-ancestors 'self'"; echo $?)"
says "but not as a teacher, whatever they are elsewhere at the institution" 404 ann -H "Host: $name" /class.html
verdict "sent once more, it lets nobody in" "$(said=$(bring "$(mint '')"); [ "$said" = 403 ] && grep -q 'has let somebody in before' "$work/answer" || echo "$said: $(cat "$work/answer")")"
verdict "keys were asked for a few times, not for each launch" "$(asked=$(grep -c 'GET /keys' "$there/asked"); [ "$asked" -le 12 ] || echo "$asked times")"
launched "the same user stays that student, whatever address they have now" 303 '' 'c["email"] = "bob@school.example"'
come again
verdict "as before" "$(as again -H "Host: $name" /own.html >/dev/null; rows "SELECT id FROM lti_user JOIN student ON number = student" | grep -vx ann)"
launched "refused: somebody else with the address of one who came before" 403 'Somebody else of your learning platform' 'c["sub"] = "u-eve"'
launched "a lesson by a custom parameter, from the map's address" 303 '' 'c[CLAIM("custom")] = {"lesson": "02"}; c["sub"] = "u-bob"; c["email"] = "BOB@school.example"; del c[SERVICE + "lti-ags/claim/endpoint"]' /
holds "leads to it" "$([ "$(header Location)" = /lessons/02-launch-grid.html ]; echo $?)"
launched "two audiences, and the party is us" 303 '' 'c["aud"] = ["client-2", "client-1"]; c["azp"] = "client-1"; c["sub"] = "u-bob"; c["email"] = "bob@school.example"' /
launched "a teacher comes in" 303 '' 'c["sub"] = "u-tom"; c["email"] = ""; c[CLAIM("roles")].append("http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor")'
come teacher
says "at the teacher's page" 200 teacher -H "Host: $name" "$(header Location)"
class withdraw bob >/dev/null
launched "withdrawn: the platform's word does not let in" 403 'not in the list' 'c["sub"] = "u-bob"; c["email"] = "bob@school.example"'
class renew bob >/dev/null
launched "renewed: it does again" 303 '' 'c["sub"] = "u-bob"; c["email"] = "bob@school.example"'

# ---- the platform's keys change ----
platform key "$there/other.pem" k-2 >"$there/keys.json"
sleep 2.2 # as long as it takes until the platform is asked again for a key that it did not have
launched "a new key of the platform's counts" 303 '' 'h["kid"] = "k-2"; key = folder + "/other.pem"; c["sub"] = "u-cy"; c["email"] = "cy@school.example"'
platform key "$there/short.pem" k-3 >"$there/keys.json"
sleep 2.2
launched "refused: a key of 1,024 bits" 403 'not what your learning platform has signed' 'h["kid"] = "k-3"; key = folder + "/short.pem"'
platform key "$there/key.pem" k-1 >"$there/keys.json"
touch "$there/down"
sleep 2.2
launched "the platform does not answer for its keys" 403 'does not answer at' 'h["kid"] = "k-9"'
rm "$there/down"

# ---- what the processes hold ----
says_nothing() { ! tr '\0' '\n' <"/proc/$1/cmdline" | grep -q 'PRIVATE\|id_token' && ! tr '\0' '\n' <"/proc/$1/environ" | grep -q 'PRIVATE'; }
holds "no key or token is on a command line or in an environment" "$(says_nothing "$server" && says_nothing "$web"; echo $?)"
verdict "the process that reads HTTP has nothing of it" "$(ldd "$build/bin/warpschool-http" | grep -E 'libcurl|libssl|libsqlite')"
verdict "nor has the one that speaks with platforms a database, or a judge" "$(ldd "$build/bin/warpschool-lti" | grep -E 'libsqlite|libdw'; nm -C "$build/bin/warpschool-lti" | grep -E ' T (judge_|gradebook_|policy_)')"
said=$("$build/bin/warpschool-lti" 2>&1 3<&-)
holds "by hand it does nothing: $said" "$([ $? -eq 2 ] && grep -q 'is a part of' <<<"$said"; echo $?)"

# ---- scores ----
curl -s -H "Host: $name" "$address/lti/keys" >"$there/tool.json"
verdict "the server's public key is there for everybody, and its private one is not" "$(python3 -c 'import json, sys; key, = json.load(open(sys.argv[1]))["keys"]; assert set(key) == {"n", "e", "kty", "use", "alg", "kid"}, key' "$there/tool.json" 2>&1)"
right=solutions/$lesson/solution.cu
send_in() { curl -s -o "$work/answer" -X POST -H "Host: $name" -H "Origin: https://$name" -H "Cookie: ${cookies[$1]}" -H "If-Match: $(curl -si -H "Host: $name" -H "Cookie: ${cookies[$1]}" "$address/lessons/$2/source" | sed -n 's/^ETag: \(".*"\).*/\1/p')" --data-binary "@$3" "$address/lessons/$2/hand-in"; }
send_in ann $lesson $right
mkdir -p "$room/submissions/bob" && cp solutions/$lesson/mutants/double-free.cu "$room/submissions/bob/$lesson.cu" && cp solutions/02-launch-grid/solution.cu "$room/submissions/bob/02-launch-grid.cu"
printf 'id: class\nlessons:\n  01: {}\n  02: {}\nrelease: by-hand\n' >"$room/course.yaml"
grade() { "$build/bin/warpschool" --root "$course" grade "$room/submissions" --roster "$room/roster.csv" --course "$room/course.yaml" --gradebook "$room/gradebook.db" --seed 5 >"$work/grade.log" 2>&1; }
scores() { class "${1:-scores}" >"$work/scores.out"; }
posted() { cat "$there/scores" 2>/dev/null; }
grade
scores
verdict "what is not released is not sent" "$(posted; grep -q 'grades are kept here, not released' "$work/class.err" || cat "$work/class.err")"
"$build/bin/warpschool" --root "$course" gradebook --gradebook "$room/gradebook.db" --course "$room/course.yaml" --release 01 >/dev/null 2>&1
touch "$there/down"
scores
status=$?
verdict "the platform is down: said, and nothing is lost" "$([ $status = 1 ] && grep -q 'wait.*does not answer' "$work/class.err" && grep -q 'nothing is lost' "$work/class.err" || { echo "$status"; cat "$work/class.err"; })"
as teacher -H "Host: $name" /class.html >/dev/null
holds "the teacher's page says so, too" "$(grep -q 'wait.*does not answer' "$work/answer"; echo $?)"
rm "$there/down"
for ((tries = 0; tries < 600; tries++)); do [ "$(posted | wc -l)" -lt 2 ] || break; sleep 0.1; done
verdict "the server tries again by itself: each score once, for its user and line item, with its time" "$(posted | python3 -c '
import json, sys
lines = [line.split(" ", 1) for line in sys.stdin]
scores = {json.loads(words)["userId"]: json.loads(words) for _, words in lines}
assert len(lines) == 2 and {path for path, _ in lines} == {"/items/1/scores"}, lines
assert set(scores) == {"u-ann", "u-bob"}, scores
assert scores["u-ann"]["scoreGiven"] == scores["u-ann"]["scoreMaximum"] > scores["u-bob"]["scoreGiven"], scores
assert all(one["gradingProgress"] == "FullyGraded" and one["activityProgress"] == "Completed" and one["timestamp"].endswith("Z") for one in scores.values())' 2>&1)"
for ((tries = 0; tries < 300; tries++)); do [ "$(rows 'SELECT 1 FROM lti_score WHERE NOT sent' | wc -l)" -gt 0 ] || break; sleep 0.1; done
scores
verdict "what was sent is not sent again" "$([ $? = 0 ] && [ "$(posted | wc -l)" = 2 ] && grep -q '0 scores were sent' "$work/scores.out" || { posted; cat "$work/scores.out" "$work/class.err"; })"
holds "the one that is not released is still told of" "$(grep -q '1 grade is kept here, not released' "$work/class.err"; echo $?)"
touch "$there/refuse"
"$build/bin/warpschool" --root "$course" gradebook --gradebook "$room/gradebook.db" --course "$room/course.yaml" --override bob --lesson 01 --points 3 --reason "by hand" --author teacher >"$work/override.log" 2>&1 ||
    "$build/bin/warpschool" --root "$course" override bob 01 3 --gradebook "$room/gradebook.db" --course "$room/course.yaml" --reason "by hand" >"$work/override.log" 2>&1
scores
holds "a platform that refuses is said: $(grep -m 1 refused "$work/class.err")" "$(grep -q '1 score was refused: the platform answers 422' "$work/class.err"; echo $?)"
mv "$there/refuse" "$there/busy"
scores send
holds "one that is overloaded will be asked again" "$(grep -q '1 score waits: the platform answers 503' "$work/class.err"; echo $?)"
rm "$there/busy"
scores send
verdict "a changed score is sent anew, and is the newest" "$([ $? = 0 ] && posted | tail -n 1 | grep -q '"scoreGiven": 3.0.*"userId": "u-bob"' || { posted; cat "$work/override.log" "$work/class.err"; })"
class members >"$work/members"
verdict "members are listed as a roster, page after page, students alone" "$(printf 'id,name,email,login\n"u-ann","Ann, ""A""","ann@school.example",""\n"u-bob","Bob","",""\n' | diff - "$work/members"; cat "$work/class.err")"
kill "$served"
wait "$served" 2>/dev/null
scores send
class members >"$work/members"
status=$?
holds "no list of members, and why: $(head -n 1 "$work/class.err")" "$([ $status -ne 0 ] && grep -q 'has not sent its list.*does not answer' "$work/class.err"; echo $?)"
class export ann >"$work/ann.json"
holds "a student's data has who they are there, and what was sent" "$(grep -q '"user": *"u-ann"' "$work/ann.json" && grep -q '"given"' "$work/ann.json"; echo $?)"
stop_server
holds "it ends well" "$?"
class forget ann >/dev/null
verdict "forgotten: nothing of it is left" "$(rows "SELECT * FROM lti_user WHERE user = 'u-ann'")"
finish
