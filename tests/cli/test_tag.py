"""`ccgkit tag`."""

import gzip
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from toy import small_tagger

from ccgkit.cli.main import main
from ccgkit.corpora import load


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "mine"
    small_tagger("cc").save(folder)
    return str(folder)


@pytest.fixture
def tag(model):
    def run(*arguments, **options):
        fixed = ["tag", "--model", model, "--threads", "1"]
        return CliRunner().invoke(main, [*fixed, *map(str, arguments)], **options)

    return run


def test_a_text_is_tagged(tag):
    result = tag("The dog sleeps. Ada sings.")
    assert result.exit_code == 0, result.output
    first, second = result.stdout.splitlines()
    assert [token.rsplit("|", 2)[0] for token in first.split()] == ["The", "dog", "sleeps", "."]
    assert second.startswith("Ada|NNP|")


def test_a_path_is_a_file_unless_it_is_said_otherwise(tag, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dog").write_text("Ada sings.\n")
    assert tag("dog").stdout.startswith("Ada|")
    assert tag("--text", "dog").stdout.startswith("dog|")
    assert tag("--file", "cat").exit_code == 2
    assert tag("--text", "x/y.txt").exit_code == 0


def test_a_text_may_be_too_long_for_a_path_and_a_directory_is_none(tag, tmp_path):
    assert len(tag("Ada sings. " * 100).stdout.splitlines()) == 100
    assert tag(tmp_path).exit_code == 2


def test_brackets_are_for_a_parser(tag):
    result = tag("--input-format", "brackets", "[The dog] sleeps")
    assert result.exit_code == 2 and "use ccgkit parse" in result.stderr


def test_what_is_read_is_not_overwritten(tag, tmp_path):
    source = tmp_path / "in.stagged"
    source.write_text("Ada|_|NP sings|_|S\n")
    assert tag("--output", source, source).exit_code == 2
    assert source.read_text() == "Ada|_|NP sings|_|S\n"


def test_unquoted_words_are_one_text(tag):
    assert len(tag("Ada", "sings", ".").stdout.split()) == 3


def test_standard_input(tag):
    assert tag("-", input="Ada sings.\n").stdout.startswith("Ada|")
    assert tag(input="Ada sings.\n").stdout.startswith("Ada|")


def test_tokenized_lines_give_a_sentence_each(tag):
    result = tag("--input-format", "tokenized", "-", input="Ada sings\n\nthe dog\n")
    assert [len(line.split()) for line in result.stdout.splitlines()] == [2, 0, 2]


def test_tags_of_the_input_are_kept(tag):
    assert "dog|XYZ|" in tag("-", input="the|DT dog|XYZ\n").stdout


def test_formats(tag, tmp_path):
    assert tag("Ada sings.", "--format", "table").stdout.startswith("# ccgkit tag, model mine (")
    line = json.loads(tag("Ada sings.", "--format", "jsonl", "--k", "2", "--beta", "0").stdout)
    assert [len(token["tags"]) for token in line["tokens"]] == [2, 2, 2]
    assert line["tokens"][1]["start"] == 4
    assert "notation" in line["meta"]["model"]
    output = tmp_path / "out.multitag"
    assert tag("Ada sings.", "--output", output).exit_code == 0
    assert [s.words for s in load(output)] == [("Ada", "sings", ".")]


@pytest.mark.parametrize(
    ("arguments", "data", "code", "message"),
    [
        ([""], None, 2, "the text is empty"),
        (["-"], b"", 1, "there is no sentence in standard input"),
        (["-"], b"\x7fELF\x00\x01\n", 1, "is not text"),
        (["-"], b"caf\xe9\n", 1, "not UTF-8"),
        (["--text", "--file", "x"], None, 2, "either --text or --file"),
        (["--resume", "x"], None, 2, "--resume needs"),
        (["--k", "0", "x"], None, 2, "0 is not in the range 1<=x<=50"),
        (["--k", "100", "x"], None, 2, "100 is not in the range 1<=x<=50"),
        (["nosuch.txt"], None, 2, "there is no file 'nosuch.txt'"),
        (["no/such"], None, 2, "there is no file 'no/such'"),
        (["nosuch.stagged.gz"], None, 2, "there is no file"),
        (["x", "--model", "nonsense"], None, 2, "no model 'nonsense'"),
        (["x", "--input-format", "prose"], None, 1, "no format 'prose'"),
        (["x", "--format", "auto"], None, 2, "the format auto needs trees, which a tagger does not give"),
        (["x", "--format", "sgml"], None, 2, "there is no output format 'sgml'"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_written(tag, tmp_path, arguments, data, code, message):
    output = tmp_path / "out.stagged"
    given = arguments if "--resume" in arguments else [*arguments, "--output", str(output)]
    result = CliRunner().invoke(main, ["tag", *given], input=data)
    assert result.exit_code == code
    assert message in result.stderr
    assert not result.stdout and not output.exists()


def test_a_very_long_sentence_is_tagged_with_a_word_about_it(tag):
    result = tag("--input-format", "tokenized", "-", input="dog " * 5000 + "\n")
    assert len(result.stdout.split()) == 5000
    assert "a sentence of 5000 words" in result.stderr


def test_an_interrupted_file_is_continued(tag, tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("".join(f"Ada sees dog {n} .\n" for n in range(30)))
    whole, part = tmp_path / "whole.stagged", tmp_path / "part.stagged"
    tag("--input-format", "lines", "--output", whole, source)
    part.write_bytes(whole.read_bytes()[:500])
    result = tag("--input-format", "lines", "--resume", "--output", part, source)
    assert result.exit_code == 0
    assert part.read_bytes() == whole.read_bytes()


def start(model, *arguments, **pipes):
    code = "from ccgkit.cli.main import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, "tag", "--model", model, "--threads", "1", *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **pipes,
    )  # fmt: skip


@pytest.mark.slow
def test_it_can_sit_in_a_pipeline_and_be_stopped(model):
    process = start(model, "--input-format", "lines", "-")
    process.stdin.write(b"Ada sings .\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"Ada|")  # before the input ends
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    process.stdout.close()


@pytest.mark.slow
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_stopping_leaves_whole_sentences(model, tmp_path, sent, code):
    source, output = tmp_path / "in.txt", tmp_path / "out.stagged"
    source.write_text("Ada sees the old dog near Bo .\n" * 200_000)
    process = start(model, "--input-format", "lines", "--output", str(output), str(source))
    while not output.exists() or output.stat().st_size < 10_000:
        time.sleep(0.1)
    process.send_signal(sent)
    assert process.wait(60) == code
    assert b"--resume" in process.stderr.read()
    data = output.read_bytes()
    assert data.endswith(b"\n") and all(line.count(b"|") == 16 for line in data.splitlines())


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("form", [None, "lines", "tokenized"])
def test_the_bar_follows_what_is_tagged_and_ends_full(tmp_path, form, zipped):
    from ccgkit.cli.sources import Progress, Texts, find_source

    names = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    for name in names:
        data = b"Ada sings .\nThe dog sleeps .\n"
        Path(name).write_bytes(gzip.compress(data) if zipped else data)
    source = find_source(names, as_file=True)
    told = []
    progress = Progress(Texts(source, form, "en"), told.append)
    read = list(progress.read())  # all is read before anything is tagged
    written = progress.written(sentence for sentence in read if sentence is not None)
    next(written), next(written)
    assert zipped or 0 < sum(told) <= source.size // 4
    list(written)
    assert sum(told) == source.size


def test_without_a_terminal_there_is_no_bar(tag, tmp_path):
    source = tmp_path / "a.txt"
    source.write_text("Ada sings.\n")
    assert tag(source).stderr == ""


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("x.jsonl", "jsonl"),
        ("x.jsonl.gz", "jsonl"),
        ("x.multitag", "multitag"),
        ("x.conll.gz", "conll"),
        ("x.pos", "pos"),
    ],
)
def test_the_outputs_name_decides(tag, tmp_path, name, form):
    output = tmp_path / name
    assert tag("Ada sings.", "-o", output).exit_code == 0
    assert output.read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")
    assert [s.words for s in load(output, form)] == [("Ada", "sings", ".")]


@pytest.mark.parametrize("name", ["x.auto", "x.csv", "x.html"])
def test_a_name_that_a_tagger_cannot_serve_is_an_error(tag, tmp_path, name):
    result = tag("Ada sings.", "-o", tmp_path / name)
    assert (result.exit_code == 2 and name in result.stderr) or "trees" in result.stderr
    assert not (tmp_path / name).exists()


def test_zipped_text_is_read(tag, tmp_path):
    path = tmp_path / "x.txt.gz"
    path.write_bytes(gzip.compress(b"Ada sings.\n"))
    assert tag(path).stdout == tag("Ada sings.").stdout
    assert tag("-", input=path.read_bytes()).stdout == tag("Ada sings.").stdout


@pytest.mark.parametrize("form", ["stagged", "multitag", "jsonl", "conll", "easyccg", "pos"])
def test_what_is_tagged_is_recognised_again(tag, tmp_path, form):
    """In a pipe, in a file whose name tells nothing, and zipped."""
    written = tag("Ada sings. The dog sleeps.", "--format", form).stdout_bytes
    (tmp_path / "file").write_bytes(written)
    for result in (tag("-", input=written), tag(tmp_path / "file"), tag("-", input=gzip.compress(written))):
        assert [line.count("|") for line in result.stdout.splitlines()] == [6, 8]


def test_an_empty_line_of_tokens_ends_no_run_in_any_format(tag):
    for form in ("stagged", "multitag", "jsonl", "conll", "easyccg", "table"):
        result = tag("--input-format", "tokenized", "-", "--format", form, input="Ada sings\n\nthe dog\n")
        assert result.exit_code == 0 and "dog" in result.stdout


def test_a_model_of_another_notation_is_refused_and_said_what_to_do(tag):
    result = tag("--notation", "ccgbank", "Ada sings.")
    assert result.exit_code == 2
    assert "ccgkit parse --notation ccgbank --format stagged" in " ".join(result.stderr.split())
