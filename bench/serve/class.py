"""class.py PORT LESSON STREAMS SECONDS <COOKIES - a class that works: each student checks one text after the other, as each verdict comes; STREAMS streams are open
among them. Prints how many verdicts came."""
import http.client
import socket
import sys
import threading
import time

port, lesson, streams, seconds = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
cookies = sys.stdin.read().split("\n")[:-1]
text, end, verdicts = open(f"solutions/{lesson}/solution.cu").read(), time.monotonic() + seconds, []


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


def learn(number, cookie):
    stream, others = listen(cookie), [listen(cookie) for _ in range((streams - number - 1) // len(cookies))]
    connection, turn = http.client.HTTPConnection("127.0.0.1", port, timeout=60), 0
    own = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{port}"}
    while time.monotonic() < end:
        connection.request("GET", f"/lessons/{lesson}/source", headers=own)
        answer = connection.getresponse()
        answer.read()
        turn += 1
        body = f"{text}// {number} {turn} {time.time()}\n".encode()
        connection.request("POST", f"/lessons/{lesson}/check", body, {**own, "If-Match": answer.headers["ETag"]})
        if connection.getresponse().read() is None or not hear(stream, b"event: result"):
            break
        verdicts.append(number)
    for one in [stream, *others]:
        one.close()


threads = [threading.Thread(target=learn, args=pair) for pair in enumerate(cookies)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(verdicts))
