"""`ccgkit serve` as a process: workers that come back, a stop that loses nothing, memory that stays flat."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from invocation import invoke

from ccgkit.cli.main import main

pytest.importorskip("starlette", reason="needs Starlette: pip install 'ccgkit[serve]'")
pytest.importorskip("uvicorn", reason="needs uvicorn: pip install 'ccgkit[serve]'")

START = "import sys; from ccgkit.cli.main import main; main(sys.argv[1:])"
MANY = {"sentences": ["Ada sees the old dog near the piano."] * 300}


class Service:
    """A running `ccgkit serve`."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port = process, port

    def send(self, method: str, path: str, body: object = None, **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        content = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        connection.request(method, path, content, {"Content-Type": "application/json", **headers})
        return connection.getresponse()

    def workers(self) -> list[int]:
        found = subprocess.run(
            ["ps", "-ww", "--ppid", str(self.process.pid), "-o", "pid=,args="], capture_output=True, text=True
        )
        return [int(line.split()[0]) for line in found.stdout.splitlines() if "spawn_main" in line]

    def until(self, holds, seconds=120):
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end and self.process.poll() is None
            time.sleep(0.2)

    def is_healthy(self) -> bool:
        try:
            return self.send("GET", "/health").status == 200
        except OSError:
            return False


@contextmanager
def running(model, *options: str) -> Iterator[Service]:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-c",
        START,
        "serve",
        "--port",
        str(port),
        "--model",
        str(model.path),
        *options,
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    service = Service(process, port)
    threading.Thread(target=process.stderr.read, daemon=True).start()
    try:
        service.until(service.is_healthy)
        yield service
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(60)


@pytest.mark.slow
def test_a_worker_that_dies_comes_back_and_a_stop_lets_open_requests_end(model):
    with running(model, "--workers", "2") as service:
        service.until(lambda: len(service.workers()) == 2)
        dead = service.workers()[0]
        os.kill(dead, signal.SIGKILL)
        service.until(lambda: len(service.workers()) == 2 and dead not in service.workers())
        service.until(service.is_healthy)
        answer = service.send("POST", "/api/parse", MANY, Accept="application/x-ndjson")
        first = answer.readline()
        service.process.send_signal(signal.SIGTERM)
        lines = [first, *answer.read().splitlines()]
        assert len(lines) == 300 and all("tokens" in json.loads(line) for line in lines)
        assert service.process.wait(60) == 0
        assert service.workers() == []


@pytest.mark.slow
def test_a_model_that_does_not_load_ends_the_service(model, tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(model.path, broken)
    (broken / "weights.safetensors").write_bytes(b"nothing")
    ended = subprocess.run(
        [sys.executable, "-c", START, "serve", "--port", "0", "--model", broken],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert ended.returncode == 1 and "could not be started" in ended.stderr


def _memory(pid: int) -> int:
    """Megabytes in use."""
    status = open(f"/proc/{pid}/status").read()  # noqa: PTH123, SIM115
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) // 1024


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="reads /proc")  # noqa: PTH110
def test_two_thousand_good_and_bad_requests_leave_the_memory_as_it_was(model):
    chance = random.Random(1)
    good = {"/api/tag": {"text": "Ada sees the dog."}, "/api/parse": {"text": "Bo likes a cat near Ada."},
            "/api/validate": {"categories": ["S/NP", "S//"]},
            "/api/oracle": {"categories": [r"(S\NP)/NP"]}}  # fmt: skip
    bad = [b"{", b"[]", b'{"text": 1}', b"\xff\xfe", b"[" * 5000, b'{"text": "' + b"a " * 600_000 + b'"}']
    with running(model) as service:
        (worker,) = service.workers()
        sizes = []
        for number in range(2000):
            path = chance.choice(sorted(good))
            kind = chance.random()
            if kind < 0.6:
                answer = service.send("POST", path, good[path] | ({} if kind < 0.5 else {"x": 1}))
                assert answer.status == (200 if kind < 0.5 else 422)
            elif kind < 0.9:
                assert service.send("POST", path, chance.choice(bad)).status in (400, 413, 422)
            else:  # comes and goes
                gone = http.client.HTTPConnection("127.0.0.1", service.port)
                gone.request("POST", "/api/parse", json.dumps(MANY), {"Content-Type": "application/json"})
                gone.close()
            if number % 100 == 99:
                sizes.append(_memory(worker))
        service.until(lambda: "ccgkit_open_requests" in service.send("GET", "/metrics").read().decode())
        assert service.workers() == [worker]
        assert max(sizes[10:]) - max(sizes[:10]) <= 25, sizes


def test_other_hosts_need_a_token_and_a_taken_port_is_told(model):
    refused = invoke(main, "serve", "--host", "0.0.0.0", "--model", model.path)
    assert refused.exit_code == 2 and "--token" in refused.output
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = invoke(main, "serve", "--port", port, "--model", model.path)
    assert told.exit_code == 1 and f"port {port}" in told.output


def test_models_have_different_names(model):
    told = invoke(main, "serve", "--model", model.path, "--model", model.path)
    assert told.exit_code == 2 and "different names" in told.output


def test_what_is_not_installed_is_told(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("ccgkit.serve")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    told = invoke(main, "serve")
    assert told.exit_code == 1 and "pip install starlette uvicorn" in told.output


def test_a_model_that_is_not_there_is_told(tmp_path):
    told = invoke(main, "serve", "--model", tmp_path / "nothing")
    assert told.exit_code == 2 and "nothing" in told.output
