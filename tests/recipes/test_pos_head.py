"""The POS head of a finished tagger learns over its encoder."""

import torch
from toy import compact_tagger

from ccgkit.taggers.encoders.compact import compress
from recipes import pos_head
from recipes.corpora import TaggedWords
from recipes.pos_head import relearn_pos

TAGS = {"the": "DT", "dog": "NN", "dogs": "NN", "unlikely": None}
SENTENCES = [TaggedWords(tuple(words), tuple(TAGS[word] for word in words), (None,) * len(words))
             for words in (["the", "dog"], ["the", "dogs", "unlikely"], ["dogs"])]  # fmt: skip


def test_the_head_learns_and_nothing_else_changes(monkeypatch):
    monkeypatch.setattr(pos_head, "_RATE", 0.5)
    tagger = compact_tagger()
    tagger.add_head("pos", ["NN", "DT"])
    compress(tagger, [list(TAGS)])
    before = {name: tensor.clone() for name, tensor in tagger.state_dict().items()}
    relearn_pos(tagger, SENTENCES * 40)
    found = tagger.kbest([["the", "dogs"], ["the", "dog"]], k=1)
    assert [list(reading.pos) for reading in found] == [["DT", "NN"], ["DT", "NN"]]
    changed = {name for name, tensor in tagger.state_dict().items() if not torch.equal(tensor, before[name])}
    assert changed == {"pos.weight", "pos.bias"}
