"""class.py PORT LESSON STREAMS SECONDS SPREAD <COOKIES - a class that works: each student checks one text after the other, as each verdict comes; STREAMS streams
are open among them. They begin one after the other within SPREAD seconds. Prints how many verdicts came, and how many students the server refused or lost."""
import http.client
import socket
import sys
import threading
import time

port, lesson, streams, seconds, spread = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), float(sys.argv[5])
cookies = sys.stdin.read().split("\n")[:-1]
text, end, verdicts, lost = open(f"solutions/{lesson}/solution.cu").read(), time.monotonic() + seconds, [], []


def listen(cookie):
    one = socket.create_connection(("127.0.0.1", port), timeout=2)
    one.sendall(f"GET /lessons/{lesson}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n".encode())
    return one


def hear(one, what):
    """Whether that was said before the end."""
    said = b""
    while time.monotonic() < end:
        try:
            part = one.recv(65536)
        except TimeoutError:
            continue
        if not part:
            return False
        said = said[-64:] + part
        if what in said:
            return True
    return False


def ask(method, path, body, headers):
    """An answer of its own connection: one that is kept for the time of a check may be closed by then, as HTTP allows."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body, {**headers, "Connection": "close"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def learn(number, cookie):
    time.sleep(spread * number / len(cookies))
    stream, others = listen(cookie), [listen(cookie) for _ in range((streams - number - 1) // len(cookies))]
    own, turn = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{port}"}, 0
    while time.monotonic() < end:
        version = ask("GET", f"/lessons/{lesson}/source", None, own).headers["ETag"]
        turn += 1
        body = f"{text}// {number} {turn} {time.time()}\n".encode()
        if ask("POST", f"/lessons/{lesson}/check", body, {**own, "If-Match": version}).status >= 400:
            lost.append(number)
            break
        if not hear(stream, b"event: result"):
            if time.monotonic() < end:
                lost.append(number)
            break
        verdicts.append(number)
    for one in [stream, *others]:
        one.close()


threads = [threading.Thread(target=learn, args=pair) for pair in enumerate(cookies)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(verdicts), len(lost))
