"""many.py PORT COUNT COOKIE - opens COUNT connections to this machine's own port, which say nothing, and asks over another one. Prints what is wrong.

COUNT is what the system gives, if it gives less. Bounded in time: 20 seconds."""
import errno
import resource
import socket
import sys
import time

port, count, cookie = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
count = min(count, hard - 50)
begun, held = time.monotonic(), []
for _ in range(count):
    silent = socket.socket()
    silent.setblocking(False)
    if silent.connect_ex(("127.0.0.1", port)) not in (0, errno.EINPROGRESS):
        break
    held.append(silent)
    if time.monotonic() - begun > 10:
        break
asking = time.monotonic()
for attempt in range(5):
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as one:
        one.sendall(f"GET /progress.js HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n".encode())
        try:
            answer = one.recv(100)
        except OSError:
            pass
    if answer.startswith(b"HTTP/1.1 200"):
        break
if not answer.startswith(b"HTTP/1.1 200"):
    print(f"with {len(held)} connections: {answer!r}")
elif time.monotonic() - asking > 8:
    print(f"it took {time.monotonic() - asking:.1f} seconds")
