"""deaf.py PORT LESSON COOKIE - as many streams as a student may have, of which nothing is read while very much is said; then as many that are read. Prints what is wrong.

What is said: the same text is handed in again and again, and each time every page of the student is told, with the teacher's last words, which are long."""
import http.client
import socket
import sys

port, lesson, cookie = int(sys.argv[1]), sys.argv[2], sys.argv[3]
PAGES = 32   # of a student (serve/desk/desk.h)
TIMES = 500  # of 15 kB each: more than is kept for a stream that is not read (serve/web/orders.c), and than the system keeps


def listen(room):
    one = socket.socket()
    if room:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    one.settimeout(20)
    one.connect(("127.0.0.1", port))
    one.sendall(f"GET /lessons/{lesson}/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n".encode())
    return one, one.recv(12)


deaf = [listen(4096) for _ in range(PAGES)]
if any(said != b"HTTP/1.1 200" for _, said in deaf):
    print(f"the first {PAGES} pages: {sorted(said for _, said in deaf)[-1]!r}")
if listen(0)[1] != b"HTTP/1.1 503":
    print("there are more pages than a student may have")
connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
own = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{port}"}
connection.request("GET", f"/lessons/{lesson}/source", headers=own)
answer = connection.getresponse()
text, tag = answer.read(), answer.headers["ETag"]
for _ in range(TIMES):
    connection.request("POST", f"/lessons/{lesson}/hand-in", text, {**own, "If-Match": tag})
    answer = connection.getresponse()
    if answer.status != 200 or b"This very text" not in answer.read():
        print(f"handing in: {answer.status}")
        break
for attempt in range(100):  # the server notices each end in a turn of its own
    one, said = listen(0)
    if said == b"HTTP/1.1 200":
        break
    one.close()
hearing = [listen(0) for _ in range(PAGES - 1)]
if any(said != b"HTTP/1.1 200" for _, said in hearing):
    print("streams that nobody reads keep their places")
