"""The frames of the scanner line, for MicroPython: ``$`` body ``*`` CRC-16 in four hex digits, line feed.

The host's side of the same line is ``hal/scanner.py``; ``serial_protocols.md`` describes it. Nothing here needs more than
MicroPython 1.19 has, and everything runs under CPython too, where it is tested.
"""

LONGEST = 640


def crc_of(body):
    """CRC-16/CCITT-FALSE of bytes."""
    crc = 0xFFFF
    for byte in body:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021) & 0xFFFF if crc & 0x8000 else crc << 1
    return crc


def frame(body):
    """A body of text as the bytes to write."""
    raw = body.encode()
    return b"$" + raw + f"*{crc_of(raw):04X}\n".encode()


class Hearer:
    """Bytes of the host in, bodies of good frames out; a bad one is dropped, a ``$`` begins anew."""

    def __init__(self):
        self._buffer = bytearray()

    def feed(self, data):
        """The bodies completed by these bytes, as lists of words."""
        found = []
        for byte in data:
            if byte == 0x24:
                self._buffer = bytearray(b"$")
            elif self._buffer:
                self._buffer.append(byte)
                size = len(self._buffer)
                if size > 5 and self._buffer[size - 5] == 0x2A:
                    body = bytes(self._buffer[1 : size - 5])
                    if bytes(self._buffer[size - 4 :]).decode() == f"{crc_of(body):04X}":
                        found.append(body.decode().split(","))
                    self._buffer = bytearray()
                elif size > LONGEST or not 0x20 <= byte < 0x7F:
                    self._buffer = bytearray()
        return found

    def give_up(self):
        """Forget half a frame, after 200 ms without a byte."""
        self._buffer = bytearray()
