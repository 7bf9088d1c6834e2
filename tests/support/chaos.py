"""A bad line: a TCP proxy between tablets and a server, with the faults that lines have, drawn from a seed.

It knows one thing of HTTP: a request begins where the client speaks after the server has spoken. So a fault
meets a request and not only a connection, also where connections are kept open.
"""

import asyncio
import random
import re
import socket
import struct
import threading
from collections import Counter
from dataclasses import dataclass

SEGMENT = 1460
PIECE = 4 * SEGMENT
LATE_S = 0.05
BUFFER_BYTES = 64 * 1024
FAULTS = ("refused", "cut", "answer_lost", "answer_cut", "hole")
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """What a line does: its speed, and how often each fault meets a request, of 1."""

    bytes_per_s: float | None = None  # each way, shared by all connections; None: as fast as it goes
    delay_s: float = 0.0  # one way
    loss: float = 0.0  # of segments: sent twice, and what follows waits a round trip
    refused: float = 0.0  # reset before a byte went through
    cut: float = 0.0  # reset after a random byte of the request
    answer_lost: float = 0.0  # the server has done it, and the tablet never hears
    answer_cut: float = 0.0  # reset after a random byte of the answer
    hole: float = 0.0  # nothing goes either way any more, and nobody says so
    hole_s: float = 2.0


class Broken(Exception):
    """The line broke here."""


class Talk:
    """One connection: who spoke last, and what happens to the request under way."""

    def __init__(self):
        self.last, self.fault, self.left = "down", None, 0


class ChaosProxy:
    """`with ChaosProxy(port, Line(...), seed) as proxy:` tablets speak with `proxy.url`."""

    def __init__(self, port: int, line: Line = Line(), seed: int = 0):
        self.target, self.line = port, line
        self.random = random.Random(seed)
        self._faults = random.Random(seed)  # its own, so that a seed strikes the same request on any line
        self.counts: Counter = Counter()
        self.bytes: Counter = Counter()  # what the two ends put on the line: up, down, again (lost segments)
        self._free = {"up": 0.0, "down": 0.0}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self) -> "ChaosProxy":
        self._thread.start()
        listening = socket.socket()
        # A modem holds little: with the system's megabytes here, what a tablet gave up would still arrive.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
        listening.bind(("127.0.0.1", 0))
        opening = asyncio.start_server(self._accept, sock=listening, limit=BUFFER_BYTES)
        self._server = asyncio.run_coroutine_threadsafe(opening, self._loop).result()
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_error) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _close(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0)  # the transports that were aborted close in the loop's next round

    async def _accept(self, reader, writer) -> None:
        self.counts["connections"] += 1
        server = None
        try:
            await asyncio.sleep(2 * self.line.delay_s)  # the handshake
            from_server, server = await asyncio.open_connection("127.0.0.1", self.target)
            talk = Talk()
            pumps = [
                asyncio.ensure_future(self._pump("up", reader, server, talk)),
                asyncio.ensure_future(self._pump("down", from_server, writer, talk)),
            ]
            try:
                done, _ = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                for pump in done:
                    pump.result()
            finally:
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
            writer.close()
        except (Broken, OSError):
            _reset(writer)
        finally:
            for end in (writer, server):
                if end and not end.is_closing():
                    end.transport.abort()

    async def _pump(self, way, reader, writer, talk) -> None:
        """Carry one direction to its end; raises Broken where the request's fault strikes."""
        pipe: asyncio.Queue = asyncio.Queue()
        carrier = asyncio.ensure_future(_carry(pipe, writer))
        last = None
        try:
            while data := await reader.read(PIECE):
                self.bytes[way] += len(data)
                last = self._strikes(way, data, talk)
                if talk.fault == "hole":
                    await asyncio.sleep(self.line.hole_s)
                    raise Broken
                data = data if last is None else data[:last]
                pipe.put_nowait((await self._shaped(way, len(data)), data))
                if last is not None:
                    break
            pipe.put_nowait((0.0, None))
            await carrier
            if last is not None:
                raise Broken
        finally:
            carrier.cancel()

    def _strikes(self, way, data, talk) -> int | None:
        """How much of these bytes still goes through before the line breaks; None: all, and it goes on."""
        if way == "up" and talk.last == "down":
            self.counts["requests"] += 1
            talk.fault = self._fault()
            if talk.fault:
                self.counts[talk.fault] += 1
            length = LENGTH.search(data)
            whole = len(data.split(b"\r\n\r\n")[0]) + 4 + (int(length.group(1)) if length else 0)
            talk.left = self.random.randrange(whole)
        first_of_answer = way == "down" and talk.last == "up"
        talk.last = way
        if talk.fault == "refused" or (talk.fault == "answer_lost" and way == "down"):
            raise Broken
        if talk.fault == "answer_cut" and first_of_answer:
            return self.random.randrange(len(data))
        if talk.fault == "cut" and way == "up":
            talk.left -= len(data)
            return len(data) + talk.left if talk.left < 0 else None
        return None

    def _fault(self) -> str | None:
        at = self._faults.random()
        for name in FAULTS:
            at -= getattr(self.line, name)
            if at < 0:
                return name
        return None

    async def _shaped(self, way, size) -> float:
        """Wait until the line has taken these bytes; the moment at which they come out at its other end."""
        line, now = self.line, self._loop.time()
        lost = sum(self.random.random() < line.loss for _ in range(-(-size // SEGMENT))) if line.loss else 0
        self.bytes["again"] += lost * SEGMENT
        if line.bytes_per_s:
            # What has waited goes at once: a process that is woken late is no slow line.
            begun = max(now - LATE_S, self._free[way])
            self._free[way] = begun + (size + lost * SEGMENT) / line.bytes_per_s
            if self._free[way] > now:
                await asyncio.sleep(self._free[way] - now)
            now = max(now, self._free[way])
        return now + line.delay_s + (2 * line.delay_s if lost else 0)


async def _carry(pipe, writer) -> None:
    loop = asyncio.get_running_loop()
    while True:
        due, data = await pipe.get()
        if due > loop.time():
            await asyncio.sleep(due - loop.time())
        if data is None:
            return
        writer.write(data)
        await writer.drain()


def _reset(writer) -> None:
    """Close with a reset instead of a goodbye."""
    end = writer.get_extra_info("socket")
    if end is not None:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
