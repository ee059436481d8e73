"""Every experiment, from the corpora to its table."""

import json
import re

import pytest
from click.testing import CliRunner
from tiny import NO_BERT, options, tiny_ccgbank
from toy import tiny_bert

from ccgkit.cli.experiment import command
from ccgkit.experiments import paper
from ccgkit.experiments.corpora import find_corpus
from ccgkit.experiments.experiment import Setup
from ccgkit.experiments.registry import EXPERIMENTS
from ccgkit.experiments.runner import Runner
from ccgkit.experiments.settings import Settings
from ccgkit.experiments.systems import parts, system


def run(name, data, output, *more, **options_):
    result = CliRunner().invoke(command, [name, *options(data, output, *more, **options_)])
    assert result.exit_code == 0, result.output or result.exception
    corpus = find_corpus(data).name
    return json.loads((output / "results" / corpus / f"{name}.json").read_text())


def rows(document, table=0):
    return {row["label"]: row["ours"] for row in document["tables"][table]["rows"]}


def setup(data, output, **more):
    return Setup(Runner(Settings(output, **more)), find_corpus(data), data)


def only(*systems):
    return [part for system in systems for part in ("--only", system)]


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_system_of_an_experiment_has_a_configuration(name, small, data, tmp_path):
    for task in EXPERIMENTS[name].tasks(setup(data, tmp_path, small=small)):
        for part in parts(task.system):
            assert system(part).decoder.kind == part[:2]


def test_where_the_paper_has_figures_of_test_sets_so_have_the_experiments(data, tmp_path):
    looking = {
        name
        for name, experiment in EXPERIMENTS.items()
        if any(task.name != "dev" for task in experiment.tasks(setup(data, tmp_path)))
    }
    assert EXPERIMENTS.keys() - looking == {"ablation", "legality", "speed"}


def test_systems_take_turns_at_speed(data, tmp_path):
    tasks = EXPERIMENTS["speed"].tasks(setup(data, tmp_path))
    systems = [task.system for task in tasks]
    assert systems == systems[: len(systems) // 3] * 3 and len({task.file for task in tasks}) == 3


def test_main(finished):
    output, result = finished
    document = json.loads((output / "results/pmb-en/main.json").read_text())
    found = rows(document)
    assert len(found["CC"]["Dev"]["seeds"]) == 2 and found["CG"]["Dev"]["significance"]
    assert found["rerank CG + CGNG2"]["Test"]["mean"] >= 0
    assert {name for name, ours in found.items() if not ours} == {*paper.EARLIER, *paper.PRETRAINED}
    assert "| Vaswani et al. 2016 |  | 94.24 |  | 94.50 |" in result.output
    assert found["CC"]["Size, MB"] > 0
    assert "no transformer" in found[f"{NO_BERT} + CC"]["Dev"]["not_run"]
    assert f"| {NO_BERT} + CC | not run | 96.01 |" in result.stdout
    assert any("Not run: cc-bert: no transformer" in note for note in document["notes"])


def test_the_dev_accuracy_is_that_of_the_training(finished):
    output, _ = finished
    document = json.loads((output / "results/pmb-en/main.json").read_text())
    for label, system_ in (("CC", "cc"), ("CG", "cg"), ("CT", "ct")):
        metrics = (output / f"models/pmb-en/{system_}/seed-2/training/metrics.jsonl").read_text().splitlines()
        best = max(json.loads(line)["dev_accuracy"] for line in metrics)
        assert rows(document)[label]["Dev"]["seeds"]["2"] == pytest.approx(best, abs=1e-3)


def test_a_tuned_reranker_is_at_least_as_good_on_dev_as_its_generator(finished):
    output, _ = finished
    found = rows(json.loads((output / "results/pmb-en/main.json").read_text()))
    for column in ("ν", "λ"):
        value = found["rerank CG + CC"][column]
        assert isinstance(value, float) or len(value["seeds"]) == 2
        assert column not in found["CG"]
    as_in_the_paper = found["rerank CG + CC, ν = 0.15, λ = 0.9"]
    assert (as_in_the_paper["ν"], as_in_the_paper["λ"]) == (0.15, 0.9)
    assert found["rerank CG + CC"]["Dev"]["mean"] >= as_in_the_paper["Dev"]["mean"]


def test_nothing_is_tested_for_significance_on_the_set_it_was_tuned_on(finished):
    output, _ = finished
    found = rows(json.loads((output / "results/pmb-en/main.json").read_text()))
    assert "significance" not in found["rerank CG + CC"]["Dev"]
    for value in (
        found["rerank CG + CC"]["Test"],
        found["rerank CG + CC, ν = 0.15, λ = 0.9"]["Dev"],
        found["CG"]["Dev"],
    ):
        assert value["significance"]["t_test_seeds_corrected"] >= value["significance"]["t_test_seeds"]


def test_controls_combine_two_seeds_of_one_system(finished):
    output, _ = finished
    found = rows(json.loads((output / "results/pmb-en/main.json").read_text()))
    for control in ("rerank CC + CC", "rerank CG + CG"):
        assert len(found[control]["Test"]["seeds"]) == 2
        assert found[control]["Size, MB"] == pytest.approx(2 * found[control.split()[-1]]["Size, MB"])


def test_pairs_of_different_systems_are_tested_against_the_control(finished):
    output, _ = finished
    document = json.loads((output / "results/pmb-en/main.json").read_text())
    main, against = rows(document), rows(document, 1)
    control = against.pop("rerank CC + CC")["Test"]
    assert control["mean"] == main["rerank CC + CC"]["Test"]["mean"] and "significance" not in control
    for pair, ours in against.items():
        assert ours["Test"]["mean"] == main[pair]["Test"]["mean"] and ours["Test"]["significance"]
        assert ours["Difference"]["mean"] == pytest.approx(ours["Test"]["mean"] - control["mean"], abs=1e-3)


def test_rows_name_the_transformer_that_their_models_have(data, tmp_path):
    pytest.importorskip("transformers")
    place = tmp_path / "all-mpnet-base-v2"
    tiny_bert(place)
    output = tmp_path / "out"
    document = run("rare", data, output, "--bert", str(place), *only("cc-bert", "cg-bert"))
    found = rows(document)
    assert "mean" in found["MPNet + CC"]["10-99"] and found["MPNet + CG"]["10-99"]["significance"]
    assert found["MPNet + rerank CG + CC"].keys() == found["CC"].keys()
    assert found["CC"]["10-99"] == {"not_run": "cc: not trained"}
    assert "encoder.bert=all-mpnet-base-v2" in document["changes"]["cc-bert"]
    again = rows(run("main", data, output, "--no-train"))  # of a run with another transformer
    assert "mean" in again["MPNet + CC"]["Test"] and f"{NO_BERT} + CT" in again


def test_the_size_counts_pretrained_vectors_once(data, tmp_path):
    vectors = tmp_path / "vectors.txt"
    words = [word for sentence in find_corpus(data).examples("train") for word in sentence.words]
    lines = (f"{word} {' '.join(['0.5', '-0.5'] * 25)}\n" for word in [*sorted(set(words)), "unseen"])
    vectors.write_text("".join(lines))
    plain = rows(run("main", data, tmp_path / "plain", *only("cc")))["CC"]["Size, MB"]
    with_vectors = run("main", data, tmp_path / "larger", "--vectors", str(vectors), *only("cc"))
    larger = rows(with_vectors)["CC"]["Size, MB"]
    of_vectors = (len(set(words)) + 2) * 50  # and one for words without a vector
    of_lstm = 50 * 4 * 8 * 2  # which reads 50 numbers more: four gates of eight units, in two directions
    assert size(larger) - size(plain) == pytest.approx((of_vectors + of_lstm) * 4 / 2**20, abs=1e-4)


def size(value):
    return value if isinstance(value, float) else value["mean"]


def test_rare_categories_and_their_share(data, copied):
    document = run("rare", data, copied, seeds=2)
    assert [table["title"] for table in document["tables"]] == ["Dev", "Test"]
    dev, test = (rows(document, table) for table in (0, 1))
    for found in (dev, test):
        assert 0 < found["% of the words"]["10-99"] <= 100
        assert found["CC"]["400-1999"] == "no such words"
    assert dev["% of the words"] != test["% of the words"]  # each has the words of its own set
    assert "paper" not in document["tables"][0]["rows"][0]
    assert document["tables"][1]["rows"][0]["paper"] == paper.RARE["cc"]


def test_unknown_categories_with_and_without_features(data, copied):
    document = run("unseen", data, copied, seeds=2)
    outside, outside_test, never, never_test, failed = document["tables"]
    for split, known, unknown in (("dev", outside, never), ("test", outside_test, never_test)):
        assert known["title"].startswith("Outside the tag set: ") and known["title"].endswith(split)
        assert unknown["title"] == f"Never seen in training: 0 words of {split}"
    assert "paper" not in outside["rows"][0] and outside_test["rows"][0]["paper"] == paper.UNSEEN["cg"]
    found = rows(document)
    for label in ("CG", "CGNG2", "CT"):
        values = [found[label][f"p@{k}"]["mean"] for k in (1, 2, 4, 8)]
        assert values == sorted(values)
        assert found[f"{label}, without features"]["p@8"]["mean"] >= values[-1]
    assert failed["columns"] == ["Prediction"] and len(failed["rows"]) > 0


def test_length_has_a_plot(data, copied):
    pytest.importorskip("matplotlib")
    document = run("length", data, copied, seeds=2)
    assert [curve["label"] for curve in document["plot"]][:2] == ["CC", "CG"]
    assert (copied / "results/pmb-en/length.svg").read_text().startswith("<?xml")


def test_legality_and_speed_and_parsing_use_the_trained_models(data, copied):
    legality = rows(run("legality", data, copied, seeds=2))
    assert 0 < legality["CG"]["4-best"]["mean"] <= 100 and "CC" not in legality
    assert legality["CG"]["4-best, β = 0.075"]["mean"] <= 100
    speed = rows(run("speed", data, copied, *only("cc", "cg", "cgng2", "ct"), seeds=1))
    assert len(list((copied / "measurements").glob("pmb-en/cc/seed-1/speed-*-dev.json"))) == 3
    assert speed["CC"]["Ratio to CC"] == 1.0 and speed["CG"]["Sentences/s, 4-best"]["mean"] > 0
    document = run("parsing", data, copied, seeds=1)
    assert rows(document)["right categories"]["Coverage"] == 100.0
    assert 0 <= rows(document)["CC"]["F1"]["mean"] <= 100
    interval = rows(document)["CG"]["F1 against CC, 95 %"]
    gain, low, high = map(float, re.fullmatch(r"(\S+) \[(\S+), (\S+)\]", interval).groups())
    assert gain == pytest.approx(
        rows(document)["CG"]["F1"]["mean"] - rows(document)["CC"]["F1"]["mean"], abs=0.01
    )
    assert low <= gain <= high and "F1 against CC, 95 %" not in rows(document)["CC"]
    first = document["tables"][0]["rows"][0]
    assert (first["label"], first["ours"], first["paper"]) == ("C&C", {}, {"F1": 85.45, "UF1": 91.65})
    assert any("no jar is named" in note for note in document["notes"])


def test_oracles_ablation_and_size_say_what_was_not_run(data, copied):
    oracles = rows(run("oracles", data, copied, *only("cgpa-nd"), seeds=1))
    for column in ("Dev", "Test"):
        assert "mean" in oracles["ND, PA"][column]
        assert oracles["ND, OR"][column] == {"not_run": "cgor-nd: not trained"}
    ablation = run("ablation", data, copied, *only("cg-nocnn", "cg-300-eq2"), seeds=1)
    found = rows(ablation)
    change = found["CG: w/o cnn"]["Dev"]["mean"] - found["CG"]["Dev"]["mean"]
    assert found["CG: w/o cnn"]["Difference"]["mean"] == pytest.approx(change, abs=1e-3)
    assert "not_run" in found["CG, smaller: attention (eq. 2)"]["Difference"]  # the smaller CG is not there
    size = rows(run("size", data, copied, *only("cc"), seeds=1))
    assert list(size["CC"]) == ["4", "10", "20", "30", "40"]
    assert "mean" in size["CC"]["20"]
    assert "lower decoder.threshold" in size["CC"]["4"]["not_run"]


def test_patience_is_the_same_for_every_model(data, tmp_path):
    document = run(
        "rare", data, tmp_path, "--patience", "2", "--set", "training.epochs=90", *only("cc", "cg")
    )
    for system_ in ("cc", "cg"):
        path = tmp_path / f"models/pmb-en/{system_}/seed-1/training/metrics.jsonl"
        accuracies = [json.loads(line)["dev_accuracy"] for line in path.read_text().splitlines()]
        assert len(accuracies) < 90 and accuracies.index(max(accuracies)) == len(accuracies) - 3
        assert "training.patience=2" in document["changes"][system_]


def test_a_part_of_a_corpus_is_trained_for_as_many_steps(data, copied):
    document = run("size", data, copied, *only("cc"), seeds=1)
    epochs = {
        percent: len(
            (copied / f"models/pmb-en{part}/cc/seed-1/training/metrics.jsonl").read_text().splitlines()
        )
        for percent, part in ((100, ""), (50, "@50"), (25, "@25"))
    }
    assert epochs == {100: 1, 50: 2, 25: 4}
    assert "training.epochs=1" in document["changes"]["cc"]


def test_languages_of_few_resources(data, tmp_path):
    document = run("lowresource", data, tmp_path, *only("cc-low"))
    assert [table["title"].split(",")[1] for table in document["tables"]] == [
        " Italian: 40 training sentences", " German: 40 training sentences", " Dutch: 40 training sentences",
    ]  # fmt: skip
    assert document["corpus"].count("; ") == 2 and "English" not in document["corpus"]
    assert all("mean" in rows(document)["CC"][column] for column in ("Dev", "Test"))
    assert document["tables"][0]["rows"][0]["paper"] == paper.LOW_RESOURCE["cc"]
    assert not any("paper" in row for row in document["tables"][1]["rows"])
    assert (tmp_path / "models/pmb-it/cc-low/seed-1/model.json").exists()


def test_ccgbank_in_the_layout_of_the_ldc(tmp_path):
    bank = tiny_ccgbank(tmp_path / "LDC2005T13")
    corpus = find_corpus(bank)
    assert [len(corpus.examples(split)) for split in ("train", "dev", "test")] == [40, 2, 2]
    document = run("parsing", bank, tmp_path / "out", *only("cc"))
    assert document["corpus"] == "CCGbank (02-21, 00, 23)"
    assert not any("cannot be compared" in note for note in document["notes"])
    assert rows(document)["right categories"]["F1"] == 100.0
    main = rows(run("main", bank, tmp_path / "out", *only("cc")))
    assert "mean" in main["CC"]["Test"]
