"""What goes wrong around every command (disk, pipe, folder, signal) is a line, a code, and nothing left."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from tiny import derived, options, tiny_data
from toy import ALONE, small_config, small_tagger, tiny_bert, toy_file, toy_sentences

from ccgkit.cli.main import COMMANDS, main
from ccgkit.corpora import dump
from ccgkit.taggers.config import write_config

pytestmark = pytest.mark.skipif(os.name == "nt", reason="pipes, signals and users are those of Unix")

CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 1, 2  # capabilities(7)
CODE = "from ccgkit.cli.main import main; main()"
TAG = "tag --model {cg} --threads 1 --input-format tokenized {text}"
TRAIN = "train {config} --train {stagged} --dev {stagged} --threads 1 --set training.epochs=1"
EXPERIMENT = "experiment domain {experiment} --no-train"

#: what each command prints; in braces is what the fixture `place` makes
PRINTING = {
    "validate-category": "validate-category --file {categories}",
    "convert": "convert {auto} - --format stagged",
    "stats": "stats {auto} --scheme ccgbank",
    "view": "view {auto} --scheme ccgbank",
    "oracle": "oracle NP/N N",
    "tune-reranker": "tune-reranker {cg} {cc} --dev {stagged} --output {new}",
    "experiment": EXPERIMENT + " --output {new}",
    "tag": TAG,
    "models": "models",
    "parse": "parse {stagged} --scheme ccgbank",
    "evaluate tags": "evaluate tags {stagged} {stagged}",
    "evaluate deps": "evaluate deps {deps} --gold-deps {auto} --gold-tags {auto} --scheme ccgbank",
    "evaluate derivations": "evaluate derivations {auto} {auto} --scheme ccgbank",
    "doctor": "doctor",
}
#: what each command writes to files, each way that it has
WRITING = {
    "convert": "convert {auto} {new}.stagged",
    "convert, zipped": "convert {auto} {new}.jsonl.gz",
    "stats": "stats {auto} --scheme ccgbank --plot {new}.png",
    "view": "view {auto} --scheme ccgbank -o {new}.html",
    "view, pictures": "view {auto} --scheme ccgbank -o {new}.svg",
    "train": TRAIN + " --output {new}",
    "tune-reranker": "tune-reranker {cg} {cc} --dev {stagged} --output {new}",
    "experiment": EXPERIMENT + " --output {new}",
    "tag": TAG + " -o {new}.stagged",
    "tag, a table": TAG + " -o {new}.txt",
    "parse": "parse {stagged} --scheme ccgbank -o {new}.auto",
    "parse, a page": "parse {stagged} --scheme ccgbank -o {new}.html",
    "export-candc-grammar": "export-candc-grammar {new} {stagged} --model",
    "export-huggingface": "export-huggingface {alone} {new}",
    "annotate": "annotate {lines} --model {cg} --task tag --workers 1 --output {new}",
}
#: commands that neither print nor write nor read files; tests/serve stops them
LISTENING = {"serve"}
#: commands told to write what they read
OVERWRITING = {
    "convert": "convert {auto} {auto}",
    "convert, a link": "convert {auto} {link}",
    "convert, one of several": "convert {stagged} {auto} -o {auto}",
    "stats": "stats {picture} --input-format auto --plot {picture}",
    "view": "view {auto} --format html -o {auto}",
    "view, the other": "view {auto} --diff {link} -o {link} --format html",
    "tag": TAG + " --format stagged -o {text}",
    "parse": "parse {stagged} -o {stagged}",
    "train": "train {config} --train {folder} --dev {stagged} --output {folder}",
    "tune-reranker": "tune-reranker {cg} {cc} --dev {stagged} --output {cg}",
    "experiment": EXPERIMENT + " --output {data}",
    "export-candc-grammar": "export-candc-grammar {home} {stagged} --extend {grammar} --force",
    "export-huggingface": "export-huggingface {alone} {alone}",
}
#: commands that wait for what a pipe gives, with a file of that kind
READING = {
    "validate-category": ("validate-category --file {pipe}", "categories"),
    "convert": ("convert {pipe} {new}.stagged --input-format auto", "auto"),
    "stats": ("stats {pipe} --input-format auto", "auto"),
    "view": ("view {pipe} --input-format auto -o {new}.html", "auto"),
    "oracle": ("oracle NP --corpus {pipe}", "stagged"),
    "train": ("train {config} --train {pipe} --dev {stagged} --output {new}", "stagged"),
    "tune-reranker": ("tune-reranker {cg} {cc} --dev {pipe} --output {new}", "stagged"),
    "tag": ("tag --model {cg} --threads 1 --input-format tokenized {pipe} -o {new}.stagged", "text"),
    "parse": ("parse {pipe} --input-format stagged --scheme ccgbank -o {new}.auto", "stagged"),
    "evaluate tags": ("evaluate tags {stagged} {pipe}", "stagged"),
    "evaluate deps": (
        "evaluate deps {pipe} --input-format deps --gold-deps {auto} --gold-tags {auto} --scheme ccgbank",
        "deps",
    ),
    "evaluate derivations": ("evaluate derivations {auto} {pipe} --input-format auto", "auto"),
    "export-candc-grammar": ("export-candc-grammar {new} {pipe} --input-format stagged", "stagged"),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Files and folders to read, and a folder for what is `new`."""
    folder = tmp_path_factory.mktemp("place")
    (folder / "new").mkdir()
    (folder / "home" / "grammar").mkdir(parents=True)
    (folder / "folder").mkdir()
    trees = derived(40, 1, "d")
    dump(trees, folder / "x.auto")
    dump(trees, folder / "x.deps")
    shutil.copy(folder / "x.auto", folder / "x.png")
    (folder / "link.auto").symlink_to(folder / "x.auto")
    toy_file(folder / "x.stagged", 40)
    (folder / "x.text").write_text("".join(f"{' '.join(words)}\n" for words, _ in toy_sentences(40)))
    (folder / "lines").mkdir()
    shutil.copy(folder / "x.text", folder / "lines" / "x.txt")
    (folder / "categories").write_text("NP\nS\\NP\n" * 2000)
    (folder / "config.toml").write_text(write_config(small_config("cc")))
    for kind in ("cg", "cc"):
        small_tagger(kind, scheme="ccgbank").save(folder / kind)
    tiny_bert(folder / "bert")
    small_tagger("cc", bert=str(folder / "bert"), **ALONE).save(folder / "alone")
    tiny_data(folder / "data")
    places = {name: folder / f"x.{name}" for name in ("auto", "deps", "stagged", "text")}
    places |= {"picture": folder / "x.png", "link": folder / "link.auto", "config": folder / "config.toml"}
    places |= {
        name: folder / name for name in ("alone", "categories", "cg", "cc", "data", "folder", "home", "lines")
    }
    places |= {"grammar": folder / "home" / "grammar", "new": folder / "new" / "x"}
    given = options(folder / "data", folder / "new" / "x")
    del given[given.index("--output") : given.index("--output") + 2]
    return {**{name: str(path) for name, path in places.items()}, "experiment": " ".join(given)}


@pytest.fixture(autouse=True)
def fresh(place: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is there yet where something new is to be written; nobody has settings."""
    pytest.importorskip("matplotlib.figure")
    folder = Path(place["new"]).parent
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder.parent / "settings"))
    shutil.rmtree(folder)
    folder.mkdir()


def run(arguments: str, place: dict[str, str]) -> int:
    """The command's exit code. What Python does with standard output when a process ends is done, too."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        with pytest.raises(SystemExit) as ended:
            main(arguments.format(**place).split(), "ccgkit")
        if sys.stdout is not None:
            sys.stdout.flush()
        return int(ended.value.code or 0)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def standard_output(descriptor: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    stream = os.fdopen(descriptor, "w", encoding="utf-8")
    with monkeypatch.context() as patch, suppress(OSError):
        patch.setattr(sys, "stdout", stream)
        yield
        stream.close()


def told(capfd: pytest.CaptureFixture[str]) -> list[str]:
    """What is on stderr but for what commands say of their progress."""
    return [
        line
        for line in capfd.readouterr().err.splitlines()
        if line.startswith(("Error", "Traceback", "Exception", "Aborted", "  File", "OSError", "Usage"))
    ]


def test_every_command_is_here() -> None:
    tested = {name.split(",")[0].split()[0] for name in (*PRINTING, *WRITING)}
    assert tested | LISTENING == set(COMMANDS)
    overwriting = {name.split(",")[0] for name in (*OVERWRITING, "annotate")}  # which wants an empty folder
    assert overwriting == {name.split(",")[0] for name in WRITING}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("arguments", PRINTING.values(), ids=PRINTING)
def test_a_full_disk_under_standard_output_is_one_line(place, arguments, monkeypatch, capfd) -> None:
    with standard_output(os.open("/dev/full", os.O_WRONLY), monkeypatch):
        assert run(arguments, place) == 1
    assert told(capfd) == ["Error: the output: No space left on device"]


@pytest.mark.parametrize("arguments", PRINTING.values(), ids=PRINTING)
def test_where_nobody_reads_on_a_command_ends_in_silence(place, arguments, monkeypatch, capfd) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with standard_output(writing, monkeypatch):
        assert run(arguments, place) == 1
    assert told(capfd) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize(
    ("redirected", "said"),
    [
        (">/dev/full", "Error: the output: No space left on device"),
        (">&-", "Error: the output: Bad file descriptor"),
        ("| true", ""),
    ],
)
def test_a_shell_sees_the_same(place, redirected, said) -> None:
    arguments = PRINTING["convert"].format(**place)
    line = f"set -o pipefail; {sys.executable} -c '{CODE}' {arguments} {redirected}"
    ended = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
    assert (ended.stderr.strip(), ended.returncode) == (said, 1)


@pytest.mark.parametrize("arguments", PRINTING.values(), ids=PRINTING)
def test_a_closed_standard_output_is_one_line(place, arguments, monkeypatch, capfd) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)  # as Python has it then
        assert run(arguments, place) == 1
    assert told(capfd) == ["Error: the output: Bad file descriptor"]


@contextmanager
def as_the_permissions_say() -> Iterator[None]:
    """Root writes to every folder: lay down the capabilities (of this thread) that it does so by."""
    if os.geteuid() != 0:
        yield
        return
    libc, version_3 = ctypes.CDLL(None, use_errno=True), (ctypes.c_uint32 * 2)(0x20080522, 0)
    held = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable: the lower halves, then the upper ones
    checked(libc.capget(version_3, held))
    fewer = (ctypes.c_uint32 * 6)(*held)
    fewer[0] &= ~(1 << CAP_DAC_OVERRIDE | 1 << CAP_DAC_READ_SEARCH)
    checked(libc.capset(version_3, fewer))
    try:
        yield
    finally:
        checked(libc.capset(version_3, held))


def checked(returned: int) -> None:
    if returned:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


@pytest.mark.skipif(os.geteuid() == 0 and sys.platform != "linux", reason="root has no capabilities here")
@pytest.mark.parametrize("arguments", WRITING.values(), ids=WRITING)
def test_a_read_only_folder_is_one_line(place, arguments, capfd) -> None:
    folder = Path(place["new"]).parent
    folder.chmod(0o555)
    try:
        with as_the_permissions_say():
            assert run(arguments, place) == 1
    finally:
        folder.chmod(0o755)
    (line,) = told(capfd)
    assert place["new"] in line and "Permission denied" in line
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("arguments", WRITING.values(), ids=WRITING)
def test_a_path_below_a_file_is_one_line(place, arguments, capfd) -> None:
    assert run(arguments, {**place, "new": f"{place['auto']}/x"}) == 1
    (line,) = told(capfd)
    assert f"{place['auto']}/x" in line and "Not a directory" in line


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file can be larger than this, which is how a disk quota is felt."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("arguments", WRITING.values(), ids=WRITING)
def test_a_disk_that_fills_up_is_one_line_and_leaves_nothing_half_done(place, arguments, capfd) -> None:
    with full_disk(1000):
        assert run(arguments, place) == 1
    (line,) = told(capfd)
    assert place["new"] in line and os.strerror(errno.EFBIG) in line
    assert left_over(place) == []


def left_over(place: dict[str, str]) -> list[Path]:
    """Files that only a running command has."""
    folder = Path(place["new"]).parent
    return [path for path in folder.rglob("*") if path.suffix in (".part", ".new") or path.name == ".next"]


@pytest.mark.parametrize("arguments", OVERWRITING.values(), ids=OVERWRITING)
def test_what_is_read_is_not_written(place, arguments, capfd) -> None:
    folder = Path(place["new"]).parents[1]
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert run(arguments, place) == 2
    assert "cannot be written at the same time" in told(capfd)[-1]
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "arguments", ["convert {auto} - --format auto", "tag {auto}", "parse {auto}", "view {auto}"]
)
def test_nor_is_standard_output_if_it_is_what_is_read(place, arguments, monkeypatch, capfd) -> None:
    path = Path(place["auto"])
    before = path.read_bytes()
    with standard_output(os.open(path, os.O_WRONLY | os.O_APPEND), monkeypatch):
        assert run(arguments, place) == 2
    assert "cannot be written at the same time" in told(capfd)[-1]
    assert path.read_bytes() == before


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize(("arguments", "kind"), READING.values(), ids=READING)
def test_a_signal_ends_a_command_and_leaves_nothing_behind(
    place, arguments, kind, sent, code, tmp_path, capfd
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = Path(place[kind]).read_bytes()

    def feed() -> None:
        with pipe.open("wb") as stream:  # which waits for somebody to read
            stream.write(content)
            stream.flush()
            os.kill(os.getpid(), sent)
            ended.wait(60)

    ended = threading.Event()
    thread = threading.Thread(target=feed, daemon=True)  # a command that never reads does not hold it
    thread.start()
    assert run(arguments, {**place, "pipe": str(pipe)}) == code
    ended.set()
    thread.join()
    assert told(capfd) == []
    assert left_over(place) == []
