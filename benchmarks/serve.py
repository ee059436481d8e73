"""Requests a second of one client and of sixteen at a time, against a service that runs on this machine.

ccgkit serve &
python benchmarks/serve.py [--port 8000] [--path /api/parse] [--requests 400]
"""

import argparse
import asyncio
import json
import time

WORDS = ["The", "old", "man", "saw", "a", "young", "woman", "with", "her", "telescope", "in", "the", "garden"]


def request(path: str, number: int) -> bytes:
    """A request for one sentence; they are of different lengths."""
    words = WORDS[: 6 + number % 8]
    body = json.dumps({"sentences": [[*words, "."]]}).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def client(port: int, path: str, numbers: range, seconds: list[float]) -> None:
    """One request after the other over one connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for number in numbers:
        start = time.perf_counter()
        writer.write(request(path, number))
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"refused: {head.decode()}")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.split(b":")[1]))
        seconds.append(time.perf_counter() - start)
    writer.close()


async def rate(port: int, path: str, clients: int, requests: int) -> float:
    """Requests a second; prints how long they took."""
    seconds: list[float] = []
    start = time.perf_counter()
    share = requests // clients
    await asyncio.gather(
        *(client(port, path, range(one * share, (one + 1) * share), seconds) for one in range(clients))
    )
    found = len(seconds) / (time.perf_counter() - start)
    middle, late = sorted(seconds)[len(seconds) // 2], sorted(seconds)[len(seconds) * 95 // 100]
    print(f"{clients:3} clients {found:8.1f} requests/s", end="")
    print(f"   median {1000 * middle:6.1f} ms   95 % {1000 * late:6.1f} ms")
    return found


async def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, default=8000)
    options.add_argument("--path", default="/api/parse")
    options.add_argument("--requests", type=int, default=400)
    given = options.parse_args()
    await rate(given.port, given.path, 4, 64)  # warms up
    rates = [await rate(given.port, given.path, clients, given.requests) for clients in (1, 16)]
    print(f"sixteen clients: {rates[1] / rates[0]:.2f} x the requests of one")


if __name__ == "__main__":
    asyncio.run(main())
