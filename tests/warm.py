"""`ccgkit` for many short commands of a shell: a process that has imported everything forks for each of them.

`python warm.py ADDRESS` is that process; `warm_program` makes the program that a shell finds, which hands its
arguments, folder, environment and open files over and ends with the exit code that comes back.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

PROGRAM = """#!{python} -IS
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    said = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(said).to_bytes(8, "big")], [0, 1, 2])
    server.sendall(said)
    sys.exit(int(server.recv(8) or b"125"))
"""


@contextmanager
def warm_program(folder: Path) -> Iterator[Path]:
    """The program `ccgkit` in a folder, as long as the process behind it runs."""
    with TemporaryDirectory() as place:  # whose name is short enough for a socket
        address = f"{place}/socket"
        with subprocess.Popen([sys.executable, __file__, address]) as process:
            while not Path(address).exists() and process.poll() is None:
                time.sleep(0.05)
            assert process.poll() is None
            program = folder / "ccgkit"
            program.write_text(PROGRAM.format(python=sys.executable, address=address), encoding="utf-8")
            program.chmod(0o755)
            try:
                yield program
            finally:
                process.terminate()


def work(client: socket.socket) -> None:
    """Do what a client asks for with its files, and tell it the exit code."""
    from ccgkit.cli.main import main

    size, files, _, _ = socket.recv_fds(client, 8, 3)
    said = b""
    while len(said) < int.from_bytes(size, "big"):
        said += client.recv(1 << 16)
    arguments, folder, environment = json.loads(said)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  those before may have been no pipes
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    Thread(target=end_without, args=[client], daemon=True).start()
    code: object = 1
    try:
        main(arguments, "ccgkit")
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    client.sendall(str(code if isinstance(code, int) else 1).encode())


def end_without(client: socket.socket) -> None:
    """Have this process end as by SIGTERM when its client does."""
    client.recv(1)
    os.kill(os.getpid(), signal.SIGTERM)


def listen(address: str) -> None:
    import torch

    import ccgkit.cli.parse
    import ccgkit.cli.tag
    import ccgkit.training.trainer

    torch.set_num_threads(1)  # a process with threads of its own must not fork
    ccgkit.load().parse("We agree.")  # whatever is imported on the way is there from now on
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{address}.new")
        server.listen()
        Path(f"{address}.new").rename(address)  # from now on there is somebody
        while True:
            client, _ = server.accept()
            if os.fork() == 0:
                try:
                    work(client)
                finally:
                    os._exit(0)
            client.close()
            with suppress(ChildProcessError):  # there is none
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


if __name__ == "__main__":
    listen(sys.argv[1])
