"""adapter.py - the smallest client of the Debug Adapter Protocol, for raw.py: sends what it is told to, also what is no message."""
import json
import os
import select
import subprocess

PATIENCE = 60


class Adapter:
    def __init__(self, *options):
        command = [os.environ["WARPGRIND"], "debug", "--dap", *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        os.set_blocking(self.process.stdin.fileno(), False)
        self.input = b""
        self.messages = []
        self.number = 0

    def write(self, data):
        """Answers are read meanwhile, as by an editor: else both would wait for the other once two pipes are full."""
        there, back = self.process.stdin.fileno(), self.process.stdout.fileno()
        while data:
            readable, writable, _ = select.select([back], [there], [], PATIENCE)
            if readable:
                self.read()
            if writable:
                data = data[os.write(there, data):]
            if not readable and not writable:
                raise TimeoutError(f"nothing is taken for {PATIENCE} s")

    def read(self):
        data = os.read(self.process.stdout.fileno(), 65536)
        if not data:
            raise EOFError("the adapter has gone")
        self.input += data

    def send(self, command, arguments=None, **members):
        self.number += 1
        message = {"seq": self.number, "type": "request", "command": command, "arguments": members or arguments}
        data = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        return self.number

    def receive(self):
        """Reads one more message. An adapter that is silent for long, or gone, is an error."""
        while True:
            head, found, rest = self.input.partition(b"\r\n\r\n")
            length = int(head.split(b":")[1]) if found else 0
            if found and len(rest) >= length:
                self.input = rest[length:]
                self.messages.append(json.loads(rest[:length]))
                return
            if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
                raise TimeoutError(f"nothing has come for {PATIENCE} s; the last were {self.messages[-2:]}")
            self.read()

    def wait(self, wanted):
        """The first message that is wanted, of those that have come and those that will."""
        seen = 0
        while True:
            for message in self.messages[seen:]:
                if wanted(message):
                    self.messages.remove(message)
                    return message
            seen = len(self.messages)
            self.receive()

    def answer(self, number):
        return self.wait(lambda m: m["type"] == "response" and m["request_seq"] == number)

    def ask(self, command, arguments=None, **members):
        return self.answer(self.send(command, arguments, **members))

    def body(self, command, **members):
        answer = self.ask(command, **members)
        if not answer["success"]:
            raise AssertionError(f"{command}: {answer['message']}")
        return answer["body"]

    def event(self, name):
        return self.wait(lambda m: m["type"] == "event" and m["event"] == name)["body"]

    def launch(self, program, **members):
        self.body("initialize", adapterID="warpgrind", linesStartAt1=True)
        self.body("launch", program=program, **members)
        self.event("initialized")

    def run(self, command="configurationDone", **members):
        """Lets the program run, and tells where it has stopped."""
        self.body(command, **members)
        return self.event("stopped")

    def frame(self, thread):
        return self.body("stackTrace", threadId=thread)["stackFrames"][0]

    def line(self, thread):
        return self.frame(thread)["line"]

    def value(self, expression, **members):
        return self.body("evaluate", expression=expression, **members)["result"]

    def leave(self):
        """The editor goes without a word; the exit status."""
        self.process.stdin.close()
        return self.process.wait(PATIENCE)
