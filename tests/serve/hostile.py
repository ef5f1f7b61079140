"""hostile.py PORT COUNT SECONDS LESSON COOKIE [ENEMY] - a crowd that means it ill, and beside it somebody who learns. Prints what goes wrong for the latter.

The crowd has COUNT connections (as many as the system gives, if it gives less), and opens a new one for each that is cut off. In turn they are silent, send a
head a byte at a time, send a body a byte at a time, send one that is larger than may be, announce 1 GB, send a megabyte without its end, read nothing of what they asked for, and
ask for streams of which they read nothing. ENEMY is the cookie of a student of a class who is one of them; without it nobody in the crowd is let in.
The learner, who has COOKIE, hears a stream all the time, saves, checks, and reads pages. As a browser does, they ask once more where a connection ended without
an answer. At the end the crowd leaves, and the slowest answer that the learner had is printed as a line that begins with `#`."""
import errno
import http.client
import os
import resource
import selectors
import socket
import sys
import threading
import time

port, count, seconds, lesson, cookie = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4], sys.argv[5]
enemy = sys.argv[6] if len(sys.argv) > 6 else "nobody=1"
origin = f"http://127.0.0.1:{port}"
LONGEST = 60  # seconds of an answer, however busy the machine is
MOMENT = 1  # second in which nobody is called silent
PATIENCE = 9  # the server cuts a request off after ten seconds: what is seen before has another reason
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
count = min(count, hard - 60)


def head(method, path, *lines):
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Cookie: {enemy}", f"Origin: {origin}", *lines, "", ""]).encode()


# What each kind of enemy sends at once, and what of it follows a byte at a time.
KINDS = [
    (b"", b""),
    (b"GET / HTTP/1.1\r\n", b"X-Long: " + b"a" * 4000),
    (head("PUT", f"/lessons/{lesson}/source", "Content-Length: 900"), b"x" * 899),
    (head("PUT", f"/lessons/{lesson}/source", "Transfer-Encoding: chunked") + b"100000\r\n" + b"x" * 65536, b"x" * 4000),
    (head("PUT", f"/lessons/{lesson}/source", "Content-Length: 1073741824") + b"x" * 65536, b"x" * 4000),
    (head("PUT", f"/lessons/{lesson}/source", "Content-Length: 1000000") + b"x" * 995000, b"x" * 4000),
    (head("GET", f"/lessons/{lesson}.html") * 20, b""),
    (head("GET", f"/lessons/{lesson}/events"), b""),
]


class Crowd(threading.Thread):
    """One loop over all of them: each second each one that has something left sends a byte of it."""

    def __init__(self):
        super().__init__(daemon=True)
        self.going, self.opened, self.cut = True, 0, 0
        self.polled, self.sent = selectors.DefaultSelector(), {}

    def open_one(self):
        one = socket.socket()
        one.setblocking(False)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        if one.connect_ex(("127.0.0.1", port)) not in (0, errno.EINPROGRESS):
            one.close()
            return
        self.sent[one] = [KINDS[self.opened % len(KINDS)], -1, 0]
        self.opened += 1
        self.polled.register(one, selectors.EVENT_WRITE)

    def drop(self, one):
        if self.sent[one][1] < 0:
            self.polled.unregister(one)
        one.close()
        del self.sent[one]
        self.cut += 1

    def run(self):
        last = 0.0
        while self.going:
            for _ in range(min(500, count - len(self.sent))):
                self.open_one()
            for key, _ in self.polled.select(0.05):  # connected
                one, state = key.fileobj, self.sent[key.fileobj]
                try:
                    begun = state[2] + (one.send(state[0][0][state[2]:]) if state[0][0] else 0)
                    state[2] = begun
                    if begun < len(state[0][0]):
                        continue
                    self.polled.unregister(one)
                    state[1] = 0
                except BlockingIOError:
                    pass
                except OSError:
                    self.drop(one)
            if time.monotonic() - last < 1:
                continue
            last = time.monotonic()
            for one, state in list(self.sent.items()):
                if state[1] < 0 or state[1] >= len(state[0][1]):
                    continue
                try:
                    one.send(state[0][1][state[1]:state[1] + 1])
                    state[1] += 1
                except BlockingIOError:
                    pass
                except OSError:
                    self.drop(one)
        for one in self.sent:
            one.close()


class Learner:
    def __init__(self):
        self.connection, self.slowest, self.asked = None, 0.0, 0

    def once(self, method, path, body, lines):
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST)
        self.connection.request(method, path, body, {"Cookie": cookie, "Origin": origin, **lines})
        answer = self.connection.getresponse()
        return answer.status, answer.headers.get("ETag"), answer.read()

    def ask(self, method, path, body=None, **lines):
        begun = time.monotonic()
        try:
            answer = self.once(method, path, body, lines)
        except (OSError, http.client.HTTPException):
            self.connection = None
            answer = self.once(method, path, body, lines)
        self.slowest, self.asked = max(self.slowest, time.monotonic() - begun), self.asked + 1
        return answer

    def save(self, what, method, text):
        tag = self.ask("GET", f"/lessons/{lesson}/source")[1]
        return self.ask(method, f"/lessons/{lesson}/{what}", text, **{"If-Match": tag})[0]


def has_ended(one):
    one.settimeout(0)
    try:
        return one.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def silent_ones_give_way():
    """Of more silent connections than are kept, the first has ended once a later one is answered; but none that came a moment ago."""
    begun = time.monotonic()
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(300)]
    learner.ask("GET", "/progress.js")
    if has_ended(silent[0]) and time.monotonic() - begun < MOMENT:
        print("a connection has no moment to ask for something")
    time.sleep(MOMENT)
    silent.append(socket.create_connection(("127.0.0.1", port)))
    learner.ask("GET", "/progress.js")
    if not has_ended(silent[0]) and time.monotonic() - begun < PATIENCE:
        print("silent connections keep their places")
    for one in silent:
        one.close()


def bodies_give_way():
    """More bodies that do not end than there is room for, by nobody's session: a text of somebody who learns is taken."""
    stranger, sent = f"warpschool_{port}=" + "0" * 32, []
    for _ in range(24):
        one = socket.create_connection(("127.0.0.1", port))
        one.settimeout(5)
        try:
            one.sendall(head("PUT", f"/lessons/{lesson}/source", "Content-Length: 1000000").replace(enemy.encode(), stranger.encode()) + b"x" * 999000)
        except OSError:
            pass
        sent.append(one)
    said = learner.save("source", "PUT", text + b"// beside bodies\n")
    if said != 200:
        print(f"a text beside bodies that do not end: {said}")
    for one in sent:
        one.close()


def listen_once(heard):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=60) as stream:
            stream.sendall(f"GET /lessons/{lesson}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n".encode())
            while data := stream.recv(65536):
                heard.append(data)
    except OSError:
        pass


def listen(heard):
    listen_once(heard)
    if not heard:
        listen_once(heard)
    heard.append(None)


heard, learner, crowd = [], Learner(), Crowd()
text = open(f"solutions/{lesson}/solution.cu", "rb").read()
silent_ones_give_way()
bodies_give_way()
threading.Thread(target=listen, args=(heard,), daemon=True).start()
crowd.start()
try:
    end, turn = time.monotonic() + seconds, 0
    while time.monotonic() < end or turn < 3:
        said = [learner.ask("GET", f"/lessons/{lesson}.html")[0], learner.save("source", "PUT", text + b"// %d\n" % turn)]
        if said != [200, 200]:
            print(f"a page and a save: {said}")
        if turn == 0 and learner.save("check", "POST", text) != 202:
            print("a check does not begin")
        turn += 1
        time.sleep(0.2)
    for _ in range(600):
        if b"event: result" in b"".join(part or b"" for part in heard):
            break
        time.sleep(0.1)
    else:
        print("no verdict comes over the stream")
    if None in heard:
        print("the stream was cut off")
except (OSError, http.client.HTTPException) as problem:
    print(f"with {crowd.opened} connections, {crowd.cut} of them cut off: {problem!r}")
crowd.going = False
crowd.join()
print(f"# {crowd.opened} connections, {crowd.cut} cut off; {learner.asked} answers, the slowest after {learner.slowest:.2f} seconds")
os._exit(0)
