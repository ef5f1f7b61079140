"""A learning platform for tests (tests/serve/lti.sh): its keys, tokens of access, line items and members; and what it would send with a browser.

    platform.py key FILE KID            the set of keys (JWKS) of FILE's public half
    platform.py serve FOLDER            listens with TLS, and writes its port to FOLDER/port

POST /mint gives a launch's token for the login's `nonce` and `target`: the usual one after `change`, a line of Python over `h` (header), `c` (claims), `key`
(the file that signs), `secret` (signs instead) and, behind #then#, `t`, the finished token; CLAIM() names a claim of LTI.

The files FOLDER/down, refuse and busy make it end connections, refuse scores, and be overloaded. What it is asked is in FOLDER/asked, scores are in FOLDER/scores.
"""
import base64
import hashlib
import http.server
import json
import os
import ssl
import subprocess
import sys
import time
import urllib.parse

SERVICE = "https://purl.imsglobal.org/spec/"
DIGEST_INFO = bytes.fromhex("3031300d060960864801650304020105000420")


def CLAIM(name):
    return SERVICE + "lti/claim/" + name


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def dump(value):
    return encode(json.dumps(value).encode())


def modulus(path):
    said = subprocess.run(["openssl", "rsa", "-in", path, "-noout", "-modulus"], check=True, capture_output=True, text=True).stdout
    return bytes.fromhex(said.strip().split("=")[1])


def key_set(path, kid):
    return {"keys": [{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": kid, "n": encode(modulus(path)), "e": "AQAB"}]}


def sign(path, data):
    return subprocess.run(["openssl", "dgst", "-sha256", "-sign", path], input=data, check=True, capture_output=True).stdout


def hmac_by(secret, data):
    import hmac
    return hmac.new(secret, data, hashlib.sha256).digest()


def usual_claims(port, nonce, target):
    now = int(time.time())
    base = f"https://127.0.0.1:{port}"
    return {
        "iss": "https://platform.example", "aud": "client-1", "sub": "u-ann", "iat": now, "exp": now + 300, "nonce": nonce,
        "email": "ann@school.example", "name": "Ann",
        CLAIM("message_type"): "LtiResourceLinkRequest", CLAIM("version"): "1.3.0", CLAIM("deployment_id"): "d-1",
        CLAIM("target_link_uri"): target, CLAIM("resource_link"): {"id": "link-1"}, CLAIM("context"): {"id": "course-1"},
        CLAIM("roles"): ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner", "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"],
        SERVICE + "lti-ags/claim/endpoint": {"scope": [SERVICE + "lti-ags/scope/score"], "lineitem": base + "/items/1?type=5"},
        SERVICE + "lti-nrps/claim/namesroleservice": {"context_memberships_url": base + "/members", "service_versions": ["2.0"]},
    }


def mint(folder, port, form):
    it = {"h": {"typ": "JWT", "alg": "RS256", "kid": "k-1"}, "c": usual_claims(port, form["nonce"], form["target"]), "key": folder + "/key.pem", "t": None, "secret": None, "now": int(time.time())}
    names = {"CLAIM": CLAIM, "SERVICE": SERVICE, "dump": dump, "encode": encode, "decode": decode, "sign": sign, "hmac_by": hmac_by, "modulus": modulus, "folder": folder, "json": json}
    before, _, after = form.get("change", "").partition("#then#")
    exec(before, names, it)
    data = dump(it["h"]) + "." + dump(it["c"])
    if it["key"] is None:
        signature = b""
    elif it["secret"] is not None:
        signature = hmac_by(it["secret"], data.encode())
    else:
        signature = sign(it["key"], data.encode())
    it["t"] = data + "." + encode(signature)
    exec(after, names, it)
    return it["t"]


def is_signed(token, key):
    """RSASSA-PKCS1-v1_5 with SHA-256, by hand, so that what signs is looked at by something else."""
    data, _, signature = token.rpartition(".")
    n, e = (int.from_bytes(decode(key[part]), "big") for part in "ne")
    size = (n.bit_length() + 7) // 8
    got = pow(int.from_bytes(decode(signature), "big"), e, n).to_bytes(size, "big")
    tail = DIGEST_INFO + hashlib.sha256(data.encode()).digest()
    return got == b"\0\1" + b"\xff" * (size - len(tail) - 3) + b"\0" + tail


class Platform(http.server.BaseHTTPRequestHandler):
    folder, serials = None, set()

    def log_message(self, *_):
        pass

    def note(self, name, words):
        with open(f"{self.folder}/{name}", "a", encoding="utf-8") as file:
            file.write(words + "\n")

    def has(self, name):
        return os.path.exists(f"{self.folder}/{name}")

    def answer(self, status, value, headers=()):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, words in headers:
            self.send_header(name, words)
        self.end_headers()
        self.wfile.write(body)

    def is_down(self):
        self.note("asked", f"{self.command} {self.path}")
        self.close_connection = True
        return self.has("down")

    def do_GET(self):
        if self.is_down():
            return
        if self.path == "/keys":
            with open(self.folder + "/keys.json", encoding="utf-8") as file:
                self.answer(200, json.load(file))
        elif self.headers.get("Authorization") != "Bearer access-1":
            self.answer(401, {})
        elif self.path == "/members":
            port = self.server.server_address[1]
            more = ("Link", f'<https://127.0.0.1:{port}/elsewhere>; rel="differences", <https://127.0.0.1:{port}/members?page=2>; rel="next"')
            self.answer(200, {"members": [{"user_id": "u-ann", "name": "Ann, \"A\"", "email": "ann@school.example", "roles": ["Learner"]},
                                          {"user_id": "u-tom", "name": "Tom", "roles": ["http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"]}]}, [more])
        else:
            self.answer(200, {"members": [{"user_id": "u-bob", "name": "Bob", "roles": ["http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"]}]})

    def check_assertion(self, form):
        """What is wrong with who asks for a token; None."""
        token = form["client_assertion"]
        header, claims = (json.loads(decode(part)) for part in token.split(".")[:2])
        with open(self.folder + "/tool.json", encoding="utf-8") as file:
            key = {one["kid"]: one for one in json.load(file)["keys"]}.get(header["kid"])
        wanted = {"iss": "client-1", "sub": "client-1", "aud": f"https://127.0.0.1:{self.server.server_address[1]}/token"}
        wrong = [name for name, value in wanted.items() if claims[name] != value]
        if key is None or header["alg"] != "RS256" or not is_signed(token, key):
            return "not signed by the tool"
        if claims["jti"] in self.serials or not claims["iat"] <= time.time() + 5 or claims["exp"] < time.time():
            return "again, or at another time"
        self.serials.add(claims["jti"])
        return f"wrong: {wrong}" if wrong or form["grant_type"] != "client_credentials" else None

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in urllib.parse.parse_qs(body).items()}
        if self.path == "/mint":
            token = mint(self.folder, self.server.server_address[1], form).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(token)))
            self.end_headers()
            self.wfile.write(token)
            return
        if self.is_down():
            return
        path, _, query = self.path.partition("?")
        if path == "/token":
            wrong = self.check_assertion(form)
            self.answer(400 if wrong else 200, {"error": wrong} if wrong else {"access_token": "access-1", "token_type": "Bearer"})
        elif self.has("busy") or self.has("refuse"):
            self.answer(503 if self.has("busy") else 422, {})
        elif not path.endswith("/scores") or query != "type=5" or self.headers["Content-Type"] != "application/vnd.ims.lis.v1.score+json":
            self.answer(400, {})
        elif self.headers.get("Authorization") != "Bearer access-1":
            self.answer(401, {})
        else:
            self.note("scores", path + " " + json.dumps(json.loads(body), sort_keys=True))
            self.answer(200, {})


def serve(folder):
    Platform.folder = folder
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Platform)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder + "/tls.pem", folder + "/tls.key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with open(folder + "/port.new", "w", encoding="ascii") as file:
        file.write(str(server.server_address[1]))
    os.rename(folder + "/port.new", folder + "/port")
    server.serve_forever()


def main():
    what, words = sys.argv[1], sys.argv[2:]
    if what == "key":
        print(json.dumps(key_set(*words)))
    else:
        serve(*words)


main()
