"""What each format says, on files written by hand, and how a file's format is found out."""

from __future__ import annotations

import gzip
import io
import math
from dataclasses import replace
from pathlib import Path

import pytest

from ccgkit import Category, Dependency, Rule, Sentence, Supertag, Token
from ccgkit.corpora import (
    CorpusError,
    FormatError,
    check_conversion,
    codec,
    conllu,
    detect,
    dump,
    dumps,
    formats,
    load,
    load_ccgbank,
    loads,
)

VERB = r"(S[dcl]\NP)/NP"
TREE = (
    rf"(<T S[dcl] 1 2> (<L NP PRP PRP We NP>) (<T S[dcl]\NP 0 2> (<L {VERB} VBP VB see (S[dcl]\NP_1)/NP_2>)"
    r" (<T NP 0 1> (<L N NNP NNP -LRB- N>) ) ) )"
)
AUTO = f"ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1\n{TREE}\n"
STAGGED = f"We|PRP|NP see|VBP|{VERB} -LRB-|NNP|N\n"
PARG = f'<s id="wsj_0001.1"> 2\n0\t1\t{VERB}\t1\tWe see\n2\t1\t{VERB}\t2\t-LRB- see <XU>\n<\\s>\n'
DEPS = (
    "# mandatory preface\n# mandatory preface\n\n"
    "loves_2 ((S[dcl]{_}\\NP{Y}<1>){_}/NP{Z}<2>){_} 2 a|b_c_3 0\n"
    "loves_2 ((S[dcl]{_}\\NP{Y}<1>){_}/NP{Z}<2>){_} 1 John_1 7 NP\\NP\n"
    f"<c> John|NNP|N loves|VBZ|{VERB} a|b_c|NNP|N\n"
    "\n\n<c> Yes|UH|N\n\n"
)
MULTITAG = f"# any text\n\nJohn NNP 2 N 0.97 N/N 0.03\nloves VBZ 2 {VERB} 0.95 S[dcl]\\NP 0.05\n\n"
GOLD = f"# any\n# text\n\nloves_2 {VERB} 2 Mary_3\nloves_2 {VERB} 1 John_1\n\n\n"
PMB = r"""
ccg(1,
 ba(s:dcl,
  lx(np, n,
   t(n, 'O\'Hara', [lemma:'o\'hara', from:0, to:6, pos:'NNP', verbnet:['Agent','Theme']])),
  rp(s:dcl\np,
   t((s:dcl\np)/np, 'smiles', [from:7, to:13, pos:'VBZ']),
   t(., '.', [from:13, to:14, pos:'.'])))).
"""
CANDC_PROLOG = r"""
:- op(601, xfx, (/)).

ccg(1,
 ba(s:dcl,
  tr((s:X/(s:X\np)),
   t(np, 'She', 'she', 'PRP', 'I-NP', 'O')),
  conj(s:dcl\np, s:dcl,
   t(conj, 'and', 'and', 'CC', 'O', 'O'),
   t('S[dcl]\NP', 'sang', 'sing', 'VBD', 'I-VP', 'O')))).

id(1,1).
"""
DER_XML = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE xdrs-output SYSTEM "src/data/boxer/xdrs.dtd">
<xdrs-output>
 <der id="7">
<unaryrule type="tc" description="Type Changing"><cat><atomic>NP</atomic></cat>
<lex><token>A &amp; B</token>
<tag type="from">0</tag><tag type="to">5</tag><tag type="pos">NNP</tag>
<cat><forward><atomic feature="dcl">S</atomic><backward><atomic>N</atomic><atomic>CONJ</atomic></backward>
</forward></cat><sem><var>nil</var></sem></lex></unaryrule>
 </der>
</xdrs-output>
"""


def only(text: str, name: str) -> Sentence:
    (sentence,) = loads(text, name)
    return sentence


def test_auto_keeps_all_fields_of_a_leaf() -> None:
    sentence = only(AUTO, "auto")
    assert sentence.id == "wsj_0001.1"
    assert sentence.tokens[1] == Token("see", "VBP", None, None, "VB", r"(S[dcl]\NP_1)/NP_2")
    assert sentence.categories == tuple(map(Category.parse, ("NP", VERB, "N")))
    (tree,) = sentence.derivations or ()
    assert (tree.head, tree.children[1].head) == (1, 0)
    assert dumps([sentence], "auto") == AUTO


@pytest.mark.parametrize(
    "text",
    [
        TREE + "\n",
        AUTO.replace(" PARSER=GOLD NUMPARSE=1", ""),
        AUTO.replace(" PARSER=GOLD NUMPARSE=1", ", log probability=-0.12345678"),
        AUTO.replace(") ) )\n", ") ) ) \n"),
        "# a comment\n\n" + AUTO + "\n" + AUTO,
        AUTO.replace(" PRP PRP ", " _ _ "),
    ],
)
def test_auto_writes_back_what_other_programs_have_written(text: str) -> None:
    assert dumps(loads(text, "auto"), "auto") == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("stagged", STAGGED),
        ("stagged", "# C&C's preface\n# of two lines\n\n" + STAGGED),
        ("stagged", "#|_|N Brad~Pitt|_|N -BAR-|_|N\n"),
        ("pos", "We|PRP a|b|NN\n"),
        ("multitag", MULTITAG),
        ("deps", DEPS.replace("a|b", "ab")),
        ("gold_deps", GOLD),
        ("parg", PARG),
        ("tokenized", "We agree.\n"),
        (
            "conll",
            "# id = a.1\n1\tWe\t_\tPRP\tPRP\t_\t0\tNP\t1:1:N/N\tTokenRange=0:2\n\n",
        ),
    ],
)
def test_a_file_is_written_as_it_was_read(name: str, text: str) -> None:
    if "a|b" in text:
        text = text.replace("a|b", "a-BAR-b")
    assert dumps(loads(text, name), name) == text


def test_candc_output_has_one_block_a_sentence_and_an_empty_one_where_it_failed() -> None:
    parsed, failed, single = loads(DEPS, "deps")
    verb = Category.parse(VERB)
    markup = r"((S[dcl]{_}\NP{Y}<1>){_}/NP{Z}<2>){_}"
    assert parsed.dependencies == (Dependency(1, verb, 2, 2, 0, markup), Dependency(1, verb, 1, 0, 7, markup))
    assert parsed.dependencies[1].via == r"NP\NP"
    assert parsed.words == ("John", "loves", "a|b_c")
    assert failed == Sentence(())
    assert (single.words, single.dependencies) == (("Yes",), ())


def test_multitag_is_what_candc_reads() -> None:
    tags = ((Supertag(Category.parse("N"), -100.0), Supertag(Category.parse("NP"), -0.1)),)
    text = dumps([Sentence((Token("New York"),), tags)], "multitag")
    assert text == "# supertags\n\nNew~York _ 2 NP 0.904837418036 N 1.0e-10\n\n"


def test_multitag_takes_its_categories_from_a_derivation_too() -> None:
    assert "see VBP 1 (S[dcl]\\NP)/NP 1.0\n" in dumps(loads(AUTO, "auto"), "multitag")


def test_conll_shows_heads_and_slots_and_places() -> None:
    tree = only(AUTO, "auto").derivations
    verb = Category.parse(VERB)
    links = (Dependency(1, verb, 1, 0), Dependency(1, verb, 2, 2))
    tokens = (Token("We", "PRP", 0, 2), Token("see", "VBP", 3, 6), Token("(", "NNP", 7, 8))
    written = dumps([Sentence(tokens, None, tree, links)], "conll")
    rows = [line.split("\t") for line in written.splitlines() if line]
    assert [row[6] for row in rows] == ["2", "0", "2"]
    assert [row[8] for row in rows] == ["2:1", "_", "2:2"]
    read = only(written, "conll")
    assert (read.tokens, read.dependencies) == (tokens, links)
    assert dumps([read], "conll") == written


def test_conll_of_four_columns_is_read_and_universal_dependencies_are_not_taken_for_it(
    tmp_path: Path,
) -> None:
    four = "# id = a.1\n1\tWe\tPRP\tNP\n\n"
    assert only(four, "conll").categories == (Category.parse("NP"),)
    path = tmp_path / "corpus"
    path.write_text(four)
    assert detect(path) == "conll"
    path.write_text("1\tWe\twe\tPRON\tPRP\tCase=Nom\t2\tnsubj\t_\t_\n\n")
    assert detect(path) == "conllu"


@pytest.mark.parametrize(("former", "name"), [("candc", "multitag"), ("columns", "conll"), ("tagged", "pos")])
def test_former_names_of_formats_still_work(former: str, name: str) -> None:
    assert codec(former) is codec(name) and former not in formats()


def test_parg_counts_from_0_with_the_argument_first() -> None:
    sentence = only(PARG, "parg")
    verb = Category.parse(VERB)
    assert sentence.dependencies == (Dependency(1, verb, 1, 0), Dependency(1, verb, 2, 2))
    assert sentence.dependencies[1].via == "<XU>"
    assert dumps([sentence], "gold_deps").endswith(f"see_2 {VERB} 1 We_1\nsee_2 {VERB} 2 -LRB-_3\n\n")


def test_parg_reads_the_spacing_of_the_ldc() -> None:
    spaced = PARG.replace("\t", " \t ").replace("<\\s>", "<\\s> ")
    assert only(spaced, "parg").dependencies == only(PARG, "parg").dependencies


def test_prolog_of_pmb() -> None:
    sentence = only(PMB, "prolog")
    (tree,) = sentence.derivations or ()
    assert sentence.tokens[0] == Token("O'Hara", "NNP", 0, 6, lemma="o'hara")
    assert [node.rule for node in tree.nodes() if node.children] == [
        Rule.BACKWARD_APPLICATION, Rule.TYPE_CHANGE, Rule.RIGHT_PUNCTUATION,
    ]  # fmt: skip
    assert sentence.categories == tuple(map(Category.parse, ("N", VERB, ".")))
    assert only(dumps([sentence], "prolog"), "prolog") == sentence


def test_prolog_of_candc() -> None:
    sentence = only(CANDC_PROLOG, "prolog")
    (tree,) = sentence.derivations or ()
    assert [token.pos for token in sentence.tokens] == ["PRP", "CC", "VBD"]
    assert [token.lemma for token in sentence.tokens] == ["she", "and", "sing"]
    assert [node.rule for node in tree.nodes() if node.children] == [
        Rule.BACKWARD_APPLICATION, Rule.FORWARD_TYPE_RAISING, Rule.CONJUNCTION,
    ]  # fmt: skip
    assert sentence.categories == tuple(map(Category.parse, ("NP", "conj", r"S[dcl]\NP")))


def test_xml_of_pmb() -> None:
    sentence = only(DER_XML, "pmb_xml")
    assert (sentence.id, sentence.tokens) == ("7", (Token("A & B", "NNP", 0, 5),))
    assert sentence.categories == (Category.parse(r"S[dcl]/(N\conj)"),)
    assert only(dumps([sentence], "pmb_xml"), "pmb_xml") == sentence


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("auto", AUTO),
        ("stagged", STAGGED),
        ("stagged", "# preface\n\n" + STAGGED),
        ("pos", "We|PRP agree|VBP\n"),
        ("multitag", MULTITAG),
        ("deps", DEPS),
        ("gold_deps", GOLD),
        ("parg", PARG),
        ("prolog", PMB),
        ("pmb_xml", DER_XML),
    ],
)
def test_content_tells_the_format(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / "corpus"
    path.write_text(text, encoding="utf-8")
    assert detect(path) == name
    assert list(load(path)) == list(loads(text, name))


@pytest.mark.parametrize(
    "name", ["conll", "conllu", "easyccg", "depccg", "candc_xml", "jigg", "lambeq", "jsonl"]
)
def test_content_tells_what_was_written(tmp_path: Path, name: str) -> None:
    path = tmp_path / "corpus"
    dump(loads(AUTO, "auto"), path, name)
    assert detect(path) == name


def test_the_name_tells_the_format(tmp_path: Path) -> None:
    for name, known in formats().items():
        for suffix in known.suffixes:
            assert detect(tmp_path / f"x{suffix}") == name
            assert detect(tmp_path / f"x{suffix}.gz") == name


def test_an_unknown_content_or_name_must_be_told(tmp_path: Path) -> None:
    path = tmp_path / "corpus"
    path.write_text("What is this?\n")
    with pytest.raises(FormatError, match="not in a format that is recognised"):
        load(path)
    with pytest.raises(FormatError, match="name a format"):
        dump([], path)
    with pytest.raises(FormatError, match="no format 'autoo'; choose from auto"):
        load(path, "autoo")


def test_gzip_is_read_by_content_and_written_by_name(tmp_path: Path) -> None:
    path, unnamed = tmp_path / "x.auto.gz", tmp_path / "x"
    dump(loads(AUTO, "auto"), path)
    assert gzip.decompress(path.read_bytes()) == AUTO.encode()
    unnamed.write_bytes(path.read_bytes())
    assert dumps(load(unnamed), "auto") == AUTO


def test_streams_are_read_and_written() -> None:
    out, text = io.BytesIO(), io.StringIO()
    assert dump(load(io.BytesIO(AUTO.encode())), out, "stagged") == 1
    dump(load(io.StringIO(AUTO), "auto"), text, "stagged")
    assert out.getvalue().decode() == text.getvalue() == STAGGED


def test_reading_is_lazy() -> None:
    def endless():
        while True:
            yield STAGGED

    class Stream(io.RawIOBase):
        name = "endless"
        lines = endless()

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
            data = next(self.lines).encode()
            buffer[: len(data)] = data
            return len(data)

    reader = load(io.BufferedReader(Stream()), "stagged")
    assert [next(reader).words for _ in range(3)] == [("We", "see", "-LRB-")] * 3


@pytest.mark.parametrize(
    ("origin", "target", "lacks"),
    [("stagged", "auto", "trees"), ("pos", "stagged", "categories"), ("auto", "parg", "dependencies"),
     ("parg", "jsonl", "all the words"), ("tokenized", "multitag", "categories")],
)  # fmt: skip
def test_what_a_format_cannot_say_is_refused(origin: str, target: str, lacks: str) -> None:
    with pytest.raises(FormatError, match=f"{origin} files do not hold {lacks}"):
        check_conversion(origin, target)


def test_what_a_sentence_lacks_is_refused() -> None:
    with pytest.raises(FormatError, match="auto needs trees, which sentence s1 lacks"):
        dumps([Sentence((Token("a"),), id="s1")], "auto")


def test_words_that_a_format_cannot_hold_are_written_as_pmb_does() -> None:
    noun = ((Supertag(Category.parse("N")),),)
    assert dumps([Sentence((Token("New York|"),), noun)], "stagged") == "New~York-BAR-|_|N\n"


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    for section in ("00", "02", "21", "23"):
        for folder, text in (("AUTO", AUTO), ("PARG", PARG)):
            place = tmp_path / folder / section
            place.mkdir(parents=True)
            name = f"wsj_{section}01"
            (place / f"{name}.{folder.lower()}").write_text(text.replace("wsj_0001", name))
    return tmp_path


def test_ccgbank_by_the_names_of_its_splits(bank: Path) -> None:
    assert [s.id for s in load_ccgbank(bank, "dev")] == ["wsj_0001.1"]
    assert [s.id for s in load_ccgbank(bank, "test")] == ["wsj_2301.1"]
    assert [s.id for s in load_ccgbank(bank, "00,23")] == ["wsj_0001.1", "wsj_2301.1"]
    assert [s.id for s in load_ccgbank(bank / "AUTO", (2, 21))] == ["wsj_0201.1", "wsj_2101.1"]


def test_ccgbank_sentences_have_the_dependencies_of_parg(bank: Path) -> None:
    (sentence,) = load_ccgbank(bank, "dev")
    assert sentence.dependencies == only(PARG, "parg").dependencies
    (PARG_FILE := bank / "PARG/00/wsj_0001.parg").unlink()
    assert not PARG_FILE.exists() and next(load_ccgbank(bank, "dev")).dependencies is None


def test_what_is_no_ccgbank_is_refused(bank: Path) -> None:
    with pytest.raises(FormatError, match="has no section 03"):
        list(load_ccgbank(bank, "train"))
    with pytest.raises(FormatError, match="no folder AUTO"):
        list(load_ccgbank(bank / "PARG", "dev"))
    with pytest.raises(FormatError, match="no split 'develop'"):
        list(load_ccgbank(bank, "develop"))


CONLLU = (
    "# newdoc id = d1\n# sent_id = d1-1\n# newpar\n# text = Don't go\n"
    "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tDo\tdo\tAUX\tVB\t_\t3\taux\t3:aux|3.1:aux\t_\n"
    "2\tn't\tnot\tPART\tRB\tPolarity=Neg\t3\tadvmod\t3:advmod\t_\n"
    "3\tgo\tgo\tVERB\t_\t_\t0\troot\t0:root\tSpaceAfter=No\n"
    "3.1\tgo\tgo\tVERB\tVB\t_\t_\t_\t3:conj\t_\n\n"
)


def test_conllu_is_written_as_it_was_read() -> None:
    (sentence,) = loads(CONLLU, "conllu")
    assert (sentence.id, sentence.text, sentence.words) == ("d1-1", "Don't go", ("Do", "n't", "go"))
    assert [token.pos for token in sentence.tokens] == ["VB", "RB", "VERB"]
    assert dumps([sentence], "conllu") == CONLLU


def test_conllu_takes_categories_to_misc_and_back() -> None:
    (sentence,) = loads(CONLLU, "conllu")
    tags = tuple((Supertag(Category.parse(text)),) for text in (r"(S[b]\NP)/(S[b]\NP)", r"S\S", r"S[b]\NP"))
    written = dumps([replace(sentence, tags=tags)], "conllu")
    assert r"SpaceAfter=No|CCG=S[b]\NP" in written
    (read,) = loads(written, "conllu")
    assert read.tags == tags
    assert dumps([replace(read, tags=None)], "conllu") == CONLLU


def test_conllu_tells_the_dependencies() -> None:
    (sentence,) = loads(CONLLU, "conllu")
    assert [(word.head, word.relation) for word in conllu.tree(sentence)] == [
        (2, "aux"), (2, "advmod"), (-1, "root"),
    ]  # fmt: skip
    assert conllu.tree(sentence)[0].enhanced == ((2, "aux"),)
    with pytest.raises(FormatError, match="no dependencies"):
        conllu.tree(Sentence((Token("Yes"),)))


CANDC_XML = r"""<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/xsl" href="candc.xml"?>

<candc>
<ccg>
 <rule type="ba" cat="S[dcl]">
  <rule type="lex" cat="NP">
<lf start="0" span="1" word="Acme" lemma="acme" pos="NNP" chunk="I-NP" entity="I-ORG" cat="N" />
  </rule>
<lf start="1" span="1" word="agrees" lemma="agree" pos="VBZ" chunk="I-VP" entity="O" cat="S[dcl]\NP" />
 </rule>
</ccg>
<deps>
<![CDATA[
agrees_2 (S[dcl]{_}\NP{Y}<1>){_} 1 Acme_1 0
]]></deps></candc>
"""


def test_xml_of_candc() -> None:
    sentence = only(CANDC_XML, "candc_xml")
    (tree,) = sentence.derivations or ()
    assert sentence.tokens[0] == Token("Acme", "NNP", lemma="acme", entity="I-ORG")
    assert sentence.tokens[1].entity is None
    assert [node.rule for node in tree.nodes() if node.children] == [
        Rule.BACKWARD_APPLICATION, Rule.TYPE_CHANGE,
    ]  # fmt: skip
    assert only(dumps([sentence], "candc_xml"), "candc_xml").derivations == (tree,)


def nbest() -> Sentence:
    """A sentence with two readings and their scores."""
    sentence = only(AUTO, "auto")
    (tree,) = sentence.derivations or ()
    other = replace(tree, category=Category.parse("S"))
    return replace(sentence, derivations=(tree, other), meta={"log_prob": "-0.5 -1.25"})


@pytest.mark.parametrize("name", ["candc_xml", "jigg", "depccg"])
def test_the_readings_of_a_sentence_stay_together(name: str) -> None:
    first, second = loads(dumps([nbest(), only(AUTO, "auto")], name), name)
    assert [str(tree.category) for tree in first.derivations or ()] == ["S[dcl]", "S"]
    assert len(second.derivations or ()) == 1
    if name != "candc_xml":  # which has no scores
        assert first.meta["log_prob"] == "-0.5 -1.25"


def test_a_parse_of_ours_has_its_score_in_files_of_depccg_and_jigg() -> None:
    scored = replace(only(AUTO, "auto"), meta={"scores": "-0.4160"})
    assert '"log_prob": -0.416' in dumps([scored], "depccg")
    assert 'score="-0.416"' in dumps([scored], "jigg")


GENERALIZED = r"""ccg(1,
 gbxc((s\np)/np, 2,
  t((s\np)/np, 'a', 'a', 'XX', 'O', 'O'),
  t(s\s, 'b', 'b', 'XX', 'O', 'I-LOC'))).
"""


def test_boxer_tells_how_many_arguments_a_composition_carries_over_and_what_coordination_joins() -> None:
    sentence = only(GENERALIZED, "boxer")
    assert sentence.tokens == (Token("a", lemma="a"), Token("b", lemma="b", entity="I-LOC"))
    assert GENERALIZED in dumps([sentence], "boxer")
    joined = r"(<T NP 0 2> (<L NP _ _ a NP>) (<T NP[conj] 1 2> (<L conj _ _ and conj>) (<L NP _ _ b NP>) ) )"
    term = dumps(loads(joined + "\n", "auto"), "boxer")
    assert " ba(np,\n  t(np, 'a', 'a', 'XX', 'O', 'O'),\n  conj(np\\np, np,\n" in term


def test_a_step_that_no_rule_makes_is_named_so() -> None:
    tree = r"(<T PP 0 2> (<L NP _ _ a NP>) (<L NP _ _ b NP>) )" + "\n"
    assert "unk(pp," in dumps(loads(tree, "auto"), "boxer")
    for name, said in (("candc_xml", 'type="unk"'), ("jigg", 'rule="unk"'), ("depccg", '"type": "unk"')):
        text = dumps(loads(tree, "auto"), name)
        assert said in text
        assert (only(text, name).derivations or ())[0].rule is None


SCORED = (
    f"ID=1, log probability=-0.25000000\n{TREE}\nID=1, log probability=-1.50000000\n{TREE}\n"
    f"ID=2, log probability=-0.12345678\n{TREE}\n"
)


def test_the_n_best_of_depccg_are_one_sentence_with_their_probabilities() -> None:
    first, second = loads(SCORED, "auto")
    assert (first.id, len(first.derivations or ()), first.meta["log_prob"]) == (
        "1",
        2,
        "-0.25000000 -1.50000000",
    )
    assert second.id == "2" and len(second.derivations or ()) == 1
    assert dumps([first, second], "auto") == SCORED
    in_json = list(loads(dumps([first, second], "depccg"), "depccg"))
    assert [sentence.meta["log_prob"] for sentence in in_json] == ["-0.25 -1.5", "-0.12345678"]
    assert dumps(in_json, "auto").count("log probability=-0.25000000") == 1


def test_n_best_over_different_words_are_damage() -> None:
    with pytest.raises(CorpusError, match="over the same words"):
        list(loads(SCORED.replace("We NP", "They NP", 1), "auto"))


UD = (
    "# text = We agree\n1\tWe\twe\tPRON\tPRP\t_\t2\tnsubj\t{}\t_\n"
    "2\tagree\tagree\tVERB\tVBP\t_\t0\troot\t{}\tSpaceAfter=No\n\n"
)


def parsed_as_ud(text: str) -> Sentence:
    intransitive = Category.parse(r"S[dcl]\NP")
    second = (Supertag(intransitive, math.log(0.75)), Supertag(Category.parse("N"), math.log(0.25)))
    links = (Dependency(1, intransitive, 1, 0), Dependency(0, Category.parse("N/N"), 1, 1))
    return replace(only(text, "conllu"), tags=((Supertag(Category.parse("NP")),), second), dependencies=links)


def test_conllu_takes_slots_to_deps_where_there_is_room() -> None:
    sentence = parsed_as_ud(UD.format("_", "_"))
    written = dumps([sentence], "conllu")
    assert "\tnsubj\t2:ccg:1\tCCG=NP\n" in written
    assert r"SpaceAfter=No|CCG=S[dcl]\NP|Supertags=S[dcl]\NP 0.75 N 0.25|CCGDeps=1:1:N/N" in written
    read = only(written, "conllu")
    assert read.tags == sentence.tags and read.dependencies == sentence.dependencies
    assert dumps([read], "conllu") == written
    assert dumps([replace(read, tags=None, dependencies=None)], "conllu") == UD.format("_", "_")


def test_conllu_leaves_the_dependencies_of_the_file_and_takes_slots_to_misc() -> None:
    sentence = parsed_as_ud(UD.format("2:nsubj", "0:root"))
    written = dumps([sentence], "conllu")
    assert "\t2:nsubj\tCCG=NP|CCGDeps=2:1\n" in written
    read = only(written, "conllu")
    assert read.dependencies == sentence.dependencies
    assert [word.enhanced for word in conllu.tree(read)] == [((1, "nsubj"),), ((-1, "root"),)]


@pytest.mark.parametrize(
    ("misc", "reason"),
    [("CCG=NP|Supertags=NP", "in turn"), ("CCG=NP|Supertags=N x", "in turn"), ("CCGDeps=2:1", "not a word's"),
     ("CCG=NP|CCGDeps=3:1", "not a word's"), ("CCG=NP|CCGDeps=1:0", "not a word's")],
)  # fmt: skip
def test_conllu_tells_what_is_wrong_with_our_own_keys(misc: str, reason: str) -> None:
    with pytest.raises(CorpusError, match=reason):
        only(f"1\tWe\twe\tPRON\tPRP\t_\t0\troot\t_\t{misc}\n\n", "conllu")
