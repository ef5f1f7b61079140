"""Seeds for fuzz_messages from readable files: python3 make_seeds.py API_DEF FOLDER FILE...

A line is a call: its name in api.def, its arguments, and behind a semicolon its payload: text in quotes, or words as arguments
are. A word is N, handle:N (of the N-th object made), device:N (N bytes into device memory, in fours), host:N (in the program's image),
stack:N, array:N and
texture:N (the N-th one made, from 1), kib:N (N * 256), power:N (2 to the N), or minus:N (that much below 2^64).
"""
import os
import re
import sys

WORDS = {"": 0, "device": 1, "handle": 2, "minus": 3, "power": 4, "host": 5, "kib": 6, "array": 7, "texture": 8, "stack": 9}
PAYLOAD_WORDS = 128


def rows(path):
    pattern = re.compile(r"^(?:WIRE_MESSAGE|WIRE_ONE_WAY|API_FUNCTION|API_LIKE|API_REFUSED)\((\w+)", re.MULTILINE)
    return {name: number for number, name in enumerate(pattern.findall(open(path, encoding="utf-8").read()))}


def encode_word(word):
    kind, _, number = word.rpartition(":")
    value = int(number)
    if kind == "device":
        value //= 4
    return bytes([WORDS[kind], value])


def encode_line(line, numbers):
    call, _, payload = line.partition(";")
    name, *arguments = call.split()
    number = numbers[name]
    command = bytes([number & 255, number >> 8, 0, len(arguments)]) + b"".join(map(encode_word, arguments)) + b"\0"
    payload = payload.strip()
    if payload.startswith('"'):
        text = payload.strip('"').encode()
        return command + bytes([len(text)]) + text
    if payload:
        words = payload.split()
        return command + bytes([PAYLOAD_WORDS, len(words)]) + b"".join(map(encode_word, words))
    return command + b"\0"


def main():
    numbers = rows(sys.argv[1])
    os.makedirs(sys.argv[2], exist_ok=True)
    for path in sys.argv[3:]:
        seed = b""
        for line in open(path, encoding="utf-8"):
            line = line.split("#")[0].strip()
            if line:
                seed += encode_line(line, numbers)
        name = os.path.splitext(os.path.basename(path))[0]
        for order, ending in (("late", b""), ("early", b"\0")):
            even = seed + (b"\0" if len(seed) % 2 else b"")
            with open(os.path.join(sys.argv[2], f"{name}-{order}"), "wb") as file:
                file.write(even + ending)


if __name__ == "__main__":
    main()
