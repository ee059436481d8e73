"""Models that somebody has tampered with: whatever is in a directory, loading ends with an error of ours."""

import hashlib
import json
import os
import re
import shutil
import signal

import pytest
import torch
from safetensors.torch import load_file, save_file
from toy import compact_tagger, small_tagger

from ccgkit import CCGKitError
from ccgkit.models.registry import describe
from ccgkit.taggers import load_tagger
from ccgkit.taggers.encoders.compact import compress
from ccgkit.taggers.ensemble import Ensemble
from ccgkit.taggers.tagger import Tagger

DEEP = "[" * 200_000


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A sound model of each kind, and an ensemble."""
    folder = tmp_path_factory.mktemp("models")
    for kind in ("cc", "cg", "ct"):
        small_tagger(kind).save(folder / kind)
    compact = compact_tagger()
    compress(compact, [["the", "dog"]])
    compact.save(folder / "compact", "# Toy\n", {"name": "toy", "language": "en"})
    Ensemble(small_tagger("cg"), small_tagger("cc")).save(folder / "ensemble")
    return folder


@pytest.fixture
def model(models, tmp_path):
    """Gives a copy of a model, to be tampered with."""

    def copy(name):
        return shutil.copytree(models / name, tmp_path / name)

    return copy


@pytest.fixture(autouse=True)
def time_limit():
    """A load that hangs is a failure, not a suite that never ends."""

    def stop(*_):
        raise AssertionError("loading hangs")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(120)
    yield
    signal.alarm(0)


def sign(folder):
    """Make the checksums right again, as one who tampers would."""
    index = json.loads((folder / "model.json").read_text())
    index["files"] = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in index["files"]
    }
    (folder / "model.json").write_text(json.dumps(index))


def rewrite(folder, name, old, new):
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))
    sign(folder)


def refused(folder):
    with pytest.raises(CCGKitError) as error:
        load_tagger(folder)
    assert type(error.value).__module__.startswith("ccgkit.")
    return str(error.value)


@pytest.mark.parametrize("name", ["cc", "cg", "ct", "compact", "ensemble"])
def test_a_sound_model_is_loaded(models, name):
    assert load_tagger(models / name).kbest([["the", "dog"]])[0].tags


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("compact", "heads = 2", "heads = 0", "heads must be a whole number from 1 to 128, not 0"),
        ("compact", "heads = 2", "heads = -1", "not -1"),
        ("compact", "heads = 2", "heads = 1000000000", "not 1000000000"),
        ("compact", "heads = 2", 'heads = "x"', 'not "x"'),
        ("compact", "heads = 2", "heads = 5", "cannot be divided"),
        ("compact", "heads = 2", "heads = [[2]]", "must be a whole number"),
        ("compact", "layers = 2", "layers = 1000000000", "layers must be"),
        ("compact", "layers = 2", "layers = 3", "does not match"),
        ("compact", "positions = 512", "positions = 1", "positions must be"),
        ("compact", "positions = 512", "positions = 256", "does not match"),
        ("compact", "int8 = true", "int8 = false", "does not match"),
        ("compact", "inner = 32", "inner = 16384", "does not match"),
        ("compact", 'kind = "compact"', 'kind = "bilstm"', "has no field"),
        ("cg", "beam = 4", "beam = 1000000", "beam must be a whole number from 1 to 1024"),
        ("cg", "max_steps = 24", "max_steps = 1000000000000000", "max_steps must be"),
        ("cg", 'oracle = "AC"', 'oracle = "ZZ"', "oracle must be one of"),
        ("cg", 'attention = "none"', 'attention = "word"', "does not match"),
        ("cc", "lstm_layers = 2", "lstm_layers = 1000000000", "lstm_layers must be"),
        ("cc", "lstm_width = 24", "lstm_width = 25", "does not match"),
        ("cc", "word_width = 20", "word_width = nan", "must be a whole number"),
        ("cc", 'kind = "bilstm"', 'kind = "transformer"', "cannot read the transformer of"),
        ("cc", 'pretrained = ""', 'pretrained = "\\u0000"', "NUL"),
        ("cc", "[encoder]", "[encoder", "not valid TOML"),
        ("cc", "[encoder]", f"x = {DEEP}\n[encoder]", "not valid TOML"),
        ("cc", "[training]", "[trainings]", "did you mean 'training'?"),
    ],
)
def test_a_configuration_that_cannot_be(model, name, old, new, told):
    folder = model(name)
    rewrite(folder, "config.toml", old, new)
    assert told in refused(folder)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cc", "[]"),
        ("cc", "{}"),
        ("cc", "{"),
        ("cc", DEEP),
        ("cc", '{"encoder": ' * 100_000),
        ("cc", '{"encoder": [], "decoder": {}}'),
        ("cc", '{"encoder": {"words": {"words": 3, "singletons": []}}, "decoder": {}}'),
        ("cc", '{"encoder": {"words": {"words": [], "singletons": ["x"]}}, "decoder": {}}'),
        ("compact", '{"encoder": {}, "decoder": {"tags": 3}}'),
        ("compact", '{"encoder": {}, "decoder": {"tags": ["NP", "NP"]}}'),
        ("compact", '{"encoder": {}, "decoder": {"tags": []}, "heads": 3}'),
        ("cc", '{"encoder": null, "decoder": null, "heads": {"encoder": []}}'),
    ],
)
def test_a_vocabulary_that_is_none(model, name, text):
    folder = model(name)
    (folder / "vocabulary.json").write_text(text)
    sign(folder)
    refused(folder)


def change_json(folder, change):
    vocabulary = json.loads((folder / "vocabulary.json").read_text())
    change(vocabulary)
    (folder / "vocabulary.json").write_text(json.dumps(vocabulary))
    sign(folder)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("cc", lambda v: v["decoder"]["categories"].append("S//")),
        ("cc", lambda v: v["decoder"]["categories"].append("(" * 10_000)),
        ("cc", lambda v: v["decoder"]["categories"].append(3)),
        ("cc", lambda v: v["decoder"]["categories"].pop()),
        ("cg", lambda v: v["decoder"]["tags"].append("NP[xx]")),
        ("cg", lambda v: v["decoder"]["tags"].append("")),
        ("ct", lambda v: v["decoder"]["atoms"].append("NP/NP")),
        ("cc", lambda v: v["encoder"]["characters"]["characters"].append("xyz")),
        ("compact", lambda v: v["heads"]["pos"].append("XX")),
        ("compact", lambda v: v["heads"].update(decoder=["a"])),
        ("compact", lambda v: v["heads"].update(other=[])),
    ],
)
def test_a_vocabulary_that_does_not_go_with_the_weights(model, name, change):
    folder = model(name)
    change_json(folder, change)
    refused(folder)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize(
    ("name", "tensor"),
    [
        ("cc", "decoder.output.weight"),
        ("compact", "encoder.bert.layers.0.widen.scale"),
        ("compact", "encoder.bert.layers.0.widen.limits"),
        ("compact", "encoder.bert.pieces.scale"),
        ("compact", "pos.bias"),
    ],
)
def test_weights_and_scales_that_are_not_finite(model, name, tensor, value):
    folder = model(name)
    weights = load_file(folder / "weights.safetensors")
    weights[tensor].view(-1)[0] = value
    save_file(weights, folder / "weights.safetensors")
    sign(folder)
    assert f"{tensor} holds numbers that are not finite" in refused(folder)


@pytest.mark.parametrize("change", ["missing", "more", "other shape", "no safetensors", "empty", "cut"])
def test_weights_of_another_model(model, change):
    folder = model("compact")
    path = folder / "weights.safetensors"
    weights = load_file(path)
    name = next(iter(weights))
    if change == "missing":
        del weights[name]
    elif change == "more":
        weights["more"] = torch.zeros(1)
    elif change == "other shape":
        weights[name] = torch.zeros(1, 2, 3)
    save_file(weights, path)
    if change in ("no safetensors", "empty", "cut"):
        path.write_bytes({"no safetensors": b"\xff" * 64, "empty": b""}.get(change, path.read_bytes()[:-9]))
    sign(folder)
    refused(folder)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "[]",
        "null",
        DEEP,
        '{"format": "ccgkit model", "version": 1, "files": []}',
        '{"format": "ccgkit model", "version": 1, "scheme": "mine", "files": {}}',
        '{"format": "ccgkit model", "version": 1, "scheme": [], "files": {}}',
        '{"format": "ccgkit model", "version": {}, "files": {}}',
    ],
)
def test_an_index_that_is_none(model, text):
    folder = model("cc")
    (folder / "model.json").write_text(text)
    refused(folder)
    with pytest.raises(CCGKitError):
        load_tagger(folder)


@pytest.mark.parametrize(
    "name", ["../cc/config.toml", "/etc/hostname", "a\0b", "", ".", "sub\\file", "x" * 5000]
)
def test_an_index_that_names_what_is_no_file_of_the_model(model, name):
    folder = model("cc")
    index = json.loads((folder / "model.json").read_text())
    index["files"][name] = "0" * 64
    (folder / "model.json").write_text(json.dumps(index))
    refused(folder)


FILES = ("model.json", "config.toml", "vocabulary.json", "weights.safetensors", "pieces.txt", "info.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kind", ["pipe", "device", "directory", "dangling link", "loop"])
def test_what_is_not_a_regular_file_is_never_read(model, name, kind):
    folder = model("compact")
    path = folder / name
    path.unlink()
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "directory":
            path.mkdir()
        case "dangling link":
            path.symlink_to("nowhere")
        case "loop":
            path.symlink_to(name)
    refused(folder)
    if name in ("model.json", "info.json"):
        with pytest.raises(CCGKitError):
            describe(folder)


@pytest.mark.parametrize("name", ["model.json", "config.toml", "vocabulary.json", "pieces.txt"])
def test_text_that_is_no_utf_8(model, name):
    folder = model("compact")
    (folder / name).write_bytes(b"\xff\xfe\x00" + (folder / name).read_bytes())
    if name != "model.json":
        sign(folder)
    refused(folder)


@pytest.mark.parametrize("pieces", ["", "[PAD]\n[UNK]\n[CLS]\n", "x\n" * 14])
def test_pieces_without_their_signs(model, pieces):
    folder = model("compact")
    (folder / "pieces.txt").write_text(pieces)
    sign(folder)
    refused(folder)


def test_files_that_are_too_large(model):
    folder = model("cc")
    with (folder / "vocabulary.json").open("wb") as file:
        file.truncate(1 << 40)  # takes no room on the disk
    assert "more than" in refused(folder)


@pytest.mark.parametrize(
    "text",
    [
        'generator = "."\nscorer = "."',
        'generator = ""\nscorer = ""',
        'generator = "generator/.."\nscorer = "scorer"',
        'generator = "\\u0000"\nscorer = "scorer"',
        f'generator = "{"x" * 5000}"\nscorer = "scorer"',
        'generator = "generator"\nscorer = "scorer"\nnu = nan',
        'generator = "generator"\nscorer = "scorer"\ncandidates = 100000000',
        'generator = "generator"\nscorer = "scorer"\nlambda = [[[]]]',
        f"generator = {DEEP}",
        "generator = 3",
    ],
)
def test_an_ensemble_that_cannot_be(model, text):
    folder = model("ensemble")
    (folder / "ensemble.toml").write_text(text)
    refused(folder)


def test_an_ensemble_file_that_is_no_text(model):
    folder = model("ensemble")
    (folder / "ensemble.toml").write_bytes(b"\xff\xfe")
    refused(folder)
    with pytest.raises(CCGKitError):
        describe(folder)


@pytest.fixture
def borrower(models, tmp_path):
    """A model whose encoder is that of the compact one beside it, to be tampered with."""
    shutil.copytree(models / "compact", tmp_path / "compact")
    base = load_tagger(tmp_path / "compact")
    Tagger.over(tmp_path / "compact", base.decoder, base.config.decoder, "rebank").save(tmp_path / "borrower")
    return tmp_path / "borrower"


def lent_by(folder, encoder):
    index = json.loads((folder / "model.json").read_text())
    index["encoder"] = {**index["encoder"], **encoder} if isinstance(encoder, dict) else encoder
    (folder / "model.json").write_text(json.dumps(index))


@pytest.mark.parametrize(
    ("encoder", "reason"),
    [
        ({"model": "borrower"}, "which is the model itself"),
        ({"model": "."}, "not the name of a model beside it"),
        ({"model": ""}, "not the name of a model beside it"),
        ({"model": ".."}, "not a model|not the name"),
        ({"model": "../compact"}, "not the name of a model beside it"),
        ({"model": "/etc"}, "not the name of a model beside it"),
        ({"model": "..\\compact"}, "not the name of a model beside it"),
        ({"model": "com\0pact"}, "not the name of a model beside it"),
        ({"model": "nobody"}, "there is no model directory"),
        ({"weights": "0" * 64}, "other weights"),
        ({"model": 3}, "must name a model"),
        ({"path": "/"}, "must name a model"),
        ("compact", "must name a model"),
        ([], "must name a model"),
    ],
)
def test_a_borrowed_encoder_is_that_of_a_model_beside(borrower, encoder, reason):
    lent_by(borrower, encoder)
    assert re.search(reason, refused(borrower))


def test_encoders_are_not_lent_on(borrower):
    shutil.copytree(borrower, borrower.parent / "second")
    weights = json.loads((borrower / "model.json").read_text())["files"]["weights.safetensors"]
    lent_by(borrower.parent / "second", {"model": "borrower", "weights": weights})
    assert "none of its own" in refused(borrower.parent / "second")


def test_a_damaged_lender_is_told(borrower):
    (borrower.parent / "compact" / "weights.safetensors").write_bytes(b"")
    assert "was altered or damaged" in refused(borrower)


def test_a_decoder_that_does_not_fit_is_told(borrower):
    rewrite(borrower, "config.toml", "lstm_width = 16", "lstm_width = 17")
    assert "does not match the rest of the model" in refused(borrower)
