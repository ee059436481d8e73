"""The re-ranker, ensembles as model directories, and `ccgkit tune-reranker`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import torch
from click.testing import CliRunner
from toy import scores_of, small_config, small_tagger, tags_of, toy_file, toy_sentences

from ccgkit import Category
from ccgkit.cli.tune_reranker import command
from ccgkit.taggers import load_tagger
from ccgkit.taggers.decoders.hypotheses import Hypothesis
from ccgkit.taggers.ensemble import ENSEMBLE, Ensemble
from ccgkit.taggers.errors import ModelError
from ccgkit.taggers.reranker import Candidates, Reranker, candidates, second_opinions, tune
from ccgkit.taggers.tagger import Tagger

TOY = toy_sentences(20)
WORDS = [words for words, _ in TOY]
N, NP, PP = map(Category.parse, ("N", "NP", "PP"))


def tagger_for(texts, kind="cc"):
    """An untrained tagger over given categories."""
    counts = Counter({Category.parse(text): 1 for text in texts})
    return Tagger.build(small_config(kind), WORDS, counts).eval()


@pytest.fixture(scope="module")
def cg():
    return small_tagger("cg").eval()


@pytest.fixture(scope="module")
def cc():
    torch.manual_seed(5)
    return small_tagger("cc").eval()


@pytest.fixture(scope="module")
def cgng2():
    config = small_config("cg")
    config = replace(config, decoder=replace(config.decoder, oracle="NG", top=10, ngram=2))
    torch.manual_seed(7)
    return Tagger.build(config, WORDS, Counter(c for _, row in TOY for c in row)).eval()


def test_the_score_is_the_weighted_sum_of_both():
    hypotheses = [Hypothesis(N, -0.4, -0.5, 2), Hypothesis(NP, -1.0, -1.0, 4)]
    tags = Reranker(nu=0.5, weight=0.7)(hypotheses, [-2.0, -0.25])
    assert {tag.category: pytest.approx(tag.logprob) for tag in tags} == {
        N: 0.7 * -0.5 / 2**0.5 + 0.3 * -2.0,
        NP: 0.7 * -1.0 / 4**0.5 + 0.3 * -0.25,
    }
    assert [tag.category for tag in tags] == [NP, N]


def test_the_defaults_are_the_papers():
    assert (Reranker().nu, Reranker().weight, Reranker().candidates) == (0.15, 0.9, 4)


def test_equal_scores_stay_in_the_generators_order():
    hypotheses = [Hypothesis(c, -1.0, -1.0, 2) for c in (PP, N, NP)]
    assert [tag.category for tag in Reranker()(hypotheses, [-1.0] * 3)] == [PP, N, NP]


def test_a_category_unknown_to_the_classifier_gets_its_lowest_log_p(cc):
    words = WORDS[0]
    with torch.no_grad():
        encoded = cc.encoder([words])
        known = list(cc.decoder.categories)
        (all_scores,) = cc.decoder.scores(encoded, [[known] * len(words)])
        (asked,) = second_opinions(cc.decoder, encoded, [[[known[0], Category.parse("QQ")]] * len(words)])
    for (first, unknown), row in zip(asked, all_scores, strict=True):
        assert first == pytest.approx(row[0])
        assert unknown == pytest.approx(min(row), abs=1e-5)


def test_a_classifiers_candidates_are_one_symbol_long(cc):
    with torch.no_grad():
        found = candidates(cc.decoder, cc.encoder([WORDS[0]]), 3)
    assert all(h.length == 1 and h.best == h.logprob for word in found[0] for h in word)


@pytest.mark.parametrize("pair", [("cg", "cc"), ("cg", "cgng2"), ("cgng2", "cg"), ("cc", "cg")])
def test_any_two_models_combine_and_the_ends_of_lambda_are_the_models_themselves(pair, request):
    generator, scorer = map(request.getfixturevalue, pair)
    alone = tags_of(generator, WORDS, k=4)
    only_first = tags_of(Ensemble(generator, scorer, Reranker(nu=0.0, weight=1.0)), WORDS, k=4)
    only_second = tags_of(Ensemble(generator, scorer, Reranker(nu=0.0, weight=0.0)), WORDS, k=4)
    opinions = scores_of(scorer, WORDS, [[[tag.category for tag in word] for word in row] for row in alone])
    for row, first, second, values in zip(alone, only_first, only_second, opinions, strict=True):
        for word, a, b, v in zip(row, first, second, values, strict=True):
            assert {tag.category for tag in a} == {tag.category for tag in word}
            if pair[0] != "cgng2":  # where spellings are not merged
                assert [tag.category for tag in a] == [tag.category for tag in word]
            best = max(range(len(v)), key=v.__getitem__)
            assert b[0].category is word[best].category


def test_at_least_as_many_candidates_are_looked_at_as_asked_for(cg, cc):
    (row,) = tags_of(Ensemble(cg, cc, Reranker(candidates=2)), WORDS[:1], k=6)
    assert all(len(tags) == 6 for tags in row)
    (row,) = tags_of(Ensemble(cg, cc, Reranker(candidates=6)), WORDS[:1], k=1)
    assert all(len(tags) == 1 for tags in row)


def test_a_shared_encoder_runs_once(cg, cc, monkeypatch):
    runs = []
    forward = type(cg.encoder).forward
    monkeypatch.setattr(
        type(cg.encoder), "forward", lambda self, words: (runs.append(1), forward(self, words))[1]
    )
    twin = Tagger(cc.config, cg.encoder, cc.decoder, cc.scheme)
    assert Ensemble(cg, twin).shares_encoder
    tags_of(Ensemble(cg, twin), WORDS[:3])
    assert len(runs) == 1
    with torch.no_grad():
        next(cc.encoder.parameters()).add_(1.0)
    assert not Ensemble(cg, cc).shares_encoder
    tags_of(Ensemble(cg, cc), WORDS[:3])
    assert len(runs) == 3


def test_an_ensemble_is_a_directory_that_loads_as_one_tagger(cg, cc, cgng2, tmp_path):
    for name, scorer in (("one", cc), ("two", cgng2)):
        ensemble = Ensemble(cg, scorer, Reranker(0.3, 0.6, 5))
        ensemble.save(tmp_path / name)
        again = load_tagger(tmp_path / name)
        assert isinstance(again, Ensemble)
        assert again.reranker == ensemble.reranker
        assert again.kbest(WORDS, k=3) == ensemble.kbest(WORDS, k=3)
    assert not isinstance(load_tagger(tmp_path / "one" / "generator"), Ensemble)


def test_encoders_that_were_saved_apart_are_found_to_be_the_same(cg, cc, tmp_path):
    Ensemble(cg, Tagger(cc.config, cg.encoder, cc.decoder, cc.scheme)).save(tmp_path / "both")
    assert load_tagger(tmp_path / "both").shares_encoder


def test_different_schemes_are_refused_with_the_reason():
    rebank = tagger_for(["N", "NP/N", r"S[dcl]\NP", r"(S[dcl]\NP)/PP", "S[b]/NP"], "cg")
    udccg = tagger_for(["NP", "NP/NP", r"S\NP", r"(S\NP)/NP"])
    with pytest.raises(ModelError, match=r"different schemes, rebank .the generator. and udccg"):
        Ensemble(rebank, udccg)
    ccgbank = tagger_for(["N", "NP[nb]/N", r"S[dcl]\NP", r"(S[dcl]\NP)/PP", "S[b]/NP"])
    with pytest.raises(ModelError, match=r"rebank .* and ccgbank"):
        Ensemble(rebank, ccgbank)


def test_a_missing_part_is_named(cg, cc, tmp_path):
    Ensemble(cg, cc).save(tmp_path)
    (tmp_path / "scorer").rename(tmp_path / "elsewhere")
    with pytest.raises(ModelError, match=r"names 'scorer' as its scorer, but there is no directory"):
        load_tagger(tmp_path)


def test_a_part_that_is_damaged_is_refused(cg, cc, tmp_path):
    Ensemble(cg, cc).save(tmp_path)
    (tmp_path / "scorer" / "vocabulary.json").write_text("{}")
    with pytest.raises(ModelError, match="altered"):
        load_tagger(tmp_path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "does not name its generator"),
        ('generator = "g"\nscorer = 3', "does not name its scorer"),
        ('generator = "g"\nscorer = "s"\nlambda = 1.5', "from 0 to 1"),
        ('generator = "g"\nscorer = "s"\ncandidates = 0', "from 1 to 1024"),
        ('generator = "g"\nscorer = "s"\nnu = "much"', "from 0 to 1"),
        ('generator = "g"\nscorer = "s"\nmu = 1', "no setting mu"),
        ("generator =", "cannot read"),
    ],
)
def test_bad_settings_are_refused(tmp_path, text, reason):
    (tmp_path / ENSEMBLE).write_text(text)
    with pytest.raises(ModelError, match=reason):
        load_tagger(tmp_path)


def test_an_ensemble_of_ensembles_is_refused(cg, cc, tmp_path):
    Ensemble(cg, cc).save(tmp_path / "inner")
    (tmp_path / ENSEMBLE).write_text('generator = "inner"\nscorer = "inner/scorer"')
    with pytest.raises(ModelError, match="itself an ensemble"):
        load_tagger(tmp_path)


def dev_words():
    """Words for which only λ below one half and any ν above zero are right."""
    short, long = Hypothesis(N, -1.0, -1.0, 2), Hypothesis(NP, -1.1, -1.1, 6)
    return [
        ([short, long], [0.0, 0.0], NP),  # ν lifts the longer one
        ([Hypothesis(N, -1.0, -1.0, 2), Hypothesis(PP, -3.0, -3.0, 2)], [-2.6, -0.5], PP),
        ([short], [-5.0], N),
    ]


def test_tuning_finds_the_best_point_of_the_grid():
    found = Candidates.gather(dev_words())
    tuned = tune(found)
    assert tuned.accuracy == found.accuracy(tuned.nu, tuned.weight) == 100.0
    assert found.accuracy(0.0, 1.0) == pytest.approx(100 / 3)
    assert found.ceiling == 100.0
    for nu in (0.0, 0.15, 1.0):
        for weight in (0.0, 0.3, 0.9, 1.0):
            firsts = [Reranker(nu, weight)(h, v)[0].category is gold for h, v, gold in dev_words()]
            assert found.accuracy(nu, weight) == pytest.approx(100 * np.mean(firsts))


def test_of_equally_good_points_the_one_nearest_to_the_papers_is_taken():
    found = Candidates.gather([([Hypothesis(N, -1.0, -1.0, 2)], [-5.0], N)])
    assert (tune(found).nu, tune(found).weight) == (0.15, 0.9)


@pytest.fixture
def saved(cg, cc, tmp_path):
    cg.save(tmp_path / "cg")
    cc.save(tmp_path / "cc")
    return tmp_path, str(toy_file(tmp_path / "dev.stagged", 12, seed=4))


def run(*arguments):
    return CliRunner().invoke(command, list(map(str, arguments)))


def test_the_command_tunes_writes_the_card_and_tunes_anew(saved):
    folder, dev = saved
    result = run(folder / "cg", folder / "cc", "--dev", dev, "--output", folder / "both")
    assert result.exit_code == 0, result.output
    ensemble = load_tagger(folder / "both")
    card = (folder / "both" / "README.md").read_text()
    assert f"| λ | {ensemble.reranker.weight} |" in card
    assert f"| ν | {ensemble.reranker.nu} |" in card
    assert "dev.stagged" in card
    again = run(folder / "both", "--dev", dev, "--candidates", "6")
    assert again.exit_code == 0, again.output
    assert load_tagger(folder / "both").reranker.candidates == 6


def test_the_command_refuses_what_makes_no_sense(saved):
    folder, dev = saved
    assert run(folder / "cg", folder / "cc", "--dev", dev).exit_code == 2
    assert run(folder / "cg", "--dev", folder / "none.stagged").exit_code == 2
    assert run("--dev", dev).exit_code == 2
    result = run(folder / "cg", "--dev", dev)
    assert isinstance(result.exception, ModelError)
    assert "is not an ensemble" in str(result.exception)
