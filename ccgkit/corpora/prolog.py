"""Derivations as Prolog terms, as PMB, Boxer and C&C write them.

    ccg(1,
     ba(s:dcl,
      t(np, 'We', [lemma:'we', from:0, to:2, pos:'PRP']),
      t(s:dcl\\np, 'agree', [lemma:'agree', from:3, to:8, pos:'VBP']))).

Read are PMB's `t/3` and C&C's `t/6`, which the format `boxer` writes; written is PMB's. Coordination is
`X\\X` there, not `X[conj]`; heads, chunks and the like are not kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..grammar import Atom, Category, Derivation, Token
from ..sentence import Sentence
from .blocks import Block, Source, is_number
from .codec import Codec, Part
from .errors import CorpusError, FormatError
from .rule_names import named_rule, rule_name, written_tree
from .slots import OUTSIDE, UNKNOWN

__all__ = [
    "CODEC",
    "PUNCTUATION",
    "dump",
    "dumps",
    "encode_terms",
    "load",
    "loads",
    "prolog_category",
    "quote",
    "written_term",
]

PUNCTUATION = {".": "period", ",": "comma", ":": "colon", ";": "semicolon"}
_SYMBOLS = {name: symbol for symbol, name in PUNCTUATION.items()}
_HEADER = """:- op(601, xfx, (/)).
:- op(601, xfx, (\\)).
:- multifile ccg/2, id/2.
:- discontiguous ccg/2, id/2.

"""
_UNARY = ("lx", "tr", "lex", "ftr", "btr", "tc")
_TERM = re.compile(r"\s*ccg\(\s*([0-9]+)\s*,\s*")
_NODE = re.compile(r"([a-z]\w*)\(\s*")
_QUOTED = re.compile(r"'((?:[^'\\]|\\.|'')*)'")
_PIECE = re.compile(r"'(?:[^'\\]|\\.|'')*'|[\[\]()]|[^'\[\]()]+")
_DEPTH = re.compile(r"[0-9]+(?=\s*,)")  # C&C's of a generalized composition
_ATOM = re.compile(r"([a-z]\w*)(?::(\w+))?")
_OTHER = re.compile(r"\s*(?:(?:%|:-).*|[a-z]\w*\(.*\)\.\s*)?")
_NAME = re.compile(r"% id = (.*)")


def _blocks(source: Source) -> Iterator[Block]:
    """From `ccg(` to a line that ends in `).`; comments, directives and other facts are passed over."""
    lines: list[str] = []
    name = None
    for line in source:
        if lines or line.lstrip().startswith("ccg("):
            lines.append(line)
            if line.rstrip().endswith(")."):
                yield Block(source, source.number - len(lines) + 1, lines, payload=name)
                lines, name = [], None
        elif found := _NAME.fullmatch(line):
            name = found[1]
        elif not _OTHER.fullmatch(line):
            yield Block(source, source.number, [line], "expected a term ccg(…) here")
    if lines:
        fault = "the file ends before the term is closed"
        yield Block(source, source.number - len(lines) + 1, lines, fault)


class _Term:
    """A term that is being read: the text and the place in it."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.text = "\n".join(block.lines)
        self.position = 0

    def error(self, reason: str, position: int | None = None) -> CorpusError:
        place = self.position if position is None else position
        row = self.text.count("\n", 0, place)
        return self.block.error(reason, row, place - (self.text.rfind("\n", 0, place) + 1) + 1)

    def take(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        found = pattern.match(self.text, self.position)
        if found is None:
            raise self.error(f"expected {what}")
        self.position = found.end()
        return found

    def skip(self, characters: str) -> None:
        while self.text[self.position : self.position + 1] and self.text[self.position] in characters:
            self.position += 1

    def tree(self) -> Derivation:
        """Nodes whose children are still being read lie on a stack."""
        parents: list[tuple[str, Category, list[Derivation]]] = []
        while True:
            name = self.take(_NODE, "a rule or t(")[1]
            if name == "t":
                done = self.leaf()
            else:
                parents.append((name, self.category(), []))
                self.skip(", \n\t")
                while not _NODE.match(self.text, self.position):  # the old category of lx, conj's second
                    if not _DEPTH.match(self.text, self.position):
                        self.category()
                    else:
                        self.take(_DEPTH, "a number")
                    self.skip(", \n\t")
                continue
            while parents:
                parents[-1][2].append(done)
                self.skip(" \n\t")
                if self.text[self.position : self.position + 1] == ",":
                    self.skip(", \n\t")
                    break
                self.take(re.compile(r"\)"), "a comma or a closing parenthesis")
                name, category, children = parents.pop()
                if len(children) != (1 if name in _UNARY else 2):
                    raise self.error(f"{name} over {len(children)} constituents")
                done = Derivation(category, tuple(children), None, named_rule(name, category))
            else:
                return done

    def category(self) -> Category:
        """The category up to the next comma."""
        start = self.position
        if found := _QUOTED.match(self.text, start):
            self.position = found.end()
            spelled = found[1].replace("\\\\", "\\")
        else:
            depth = 0
            while depth or self.text[self.position : self.position + 1] not in (",", ""):
                depth += {"(": 1, ")": -1}.get(self.text[self.position : self.position + 1], 0)
                self.position += 1
                if depth < 0 or self.position >= len(self.text):
                    raise self.error("expected a category and a comma", start)
            spelled = _ATOM.sub(_bank_atom, self.text[start : self.position].strip())
        row = self.text.count("\n", 0, start)
        return self.block.category(spelled, row, start - self.text.rfind("\n", 0, start))

    def leaf(self) -> Derivation:
        category = self.category()
        self.skip(", \n\t")
        word = _unquote(self.take(_QUOTED, "a quoted word")[1])
        pieces, depth = [], 1
        while depth:
            piece = self.take(_PIECE, "a closing parenthesis")[0]
            depth += {"(": 1, ")": -1}.get(piece, 0)
            if depth > 1:
                raise self.error("a term among the attributes of a word")
            pieces.append(piece)
        return Derivation(category, token=_token(word, "".join(pieces[:-1])))


def _token(word: str, rest: str) -> Token:
    """The token with the attributes of PMB's list, or with C&C's further arguments: lemma, POS and others."""
    if "[" not in _QUOTED.sub("", rest):
        strings = [*map(_unquote, _QUOTED.findall(rest)), None, None, None, None]
        pos, entity = (None if said in (OUTSIDE, UNKNOWN) else said for said in (strings[1], strings[3]))
        return Token(word, pos, lemma=strings[0] or word, entity=entity)  # as C&C's are written
    lemma, pos = (_attribute(name, rest) for name in ("lemma", "pos"))
    offsets = [re.search(rf"\b{name}:([0-9]{{1,9}})\b", rest) for name in ("from", "to")]
    start, end = (None if found is None else int(found[1]) for found in offsets)
    return Token(word, pos, start, end, lemma=lemma)


def _attribute(name: str, attributes: str) -> str | None:
    found = re.search(rf"\b{name}:'((?:[^'\\]|\\.|'')*)'", attributes)
    return _unquote(found[1]) if found else None


def _bank_atom(found: re.Match[str]) -> str:
    """An atom of Prolog's as CCGbank spells it."""
    base, feature = found.groups()
    if base == "conj":  # Boxer's conj:np says what is conjoined
        return base
    spelled = _SYMBOLS.get(base) or base.upper()
    return spelled if feature is None else f"{spelled}[{feature}]"


def _prolog_atom(atom: Atom) -> Atom:
    if atom.is_punctuation and atom.base in PUNCTUATION:
        return Atom(PUNCTUATION[atom.base])
    if atom.base != "conj" and not (atom.base.isalnum() and atom.base.isupper()):
        raise FormatError(f"the atom {atom} has no spelling in Prolog")
    return Atom(atom.base.lower(), None if atom.feature == "X" else atom.feature)


def prolog_category(category: Category) -> str:
    """The category as a term: `s:dcl\\np`."""
    return re.sub(r"\[(\w+)\]", r":\1", str(category.map_atoms(_prolog_atom)))


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)|'(')", lambda found: found[1] or found[2], text)


def quote(text: str) -> str:
    """A quoted atom."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _decode(block: Block) -> Sentence:
    term = _Term(block)
    number = term.take(_TERM, "ccg(number,")[1]
    tree = term.tree()
    term.take(re.compile(r"\s*\)\s*\.\s*$"), "the end of the term, ).")
    return Sentence(tree.tokens, derivations=(tree,), id=block.payload or number)


def _encode(sentence: Sentence, count: int) -> str:
    return encode_terms(sentence, count, _written)


def encode_terms(sentence: Sentence, count: int, written: Callable[[Derivation], str]) -> str:
    """A term for each derivation; a comment where there is none, and one with an id that is no number."""
    numbered = sentence.id is not None and is_number(sentence.id)
    number = sentence.id if numbered else count
    name = f"% id = {sentence.id}\n" if sentence.id and not numbered else ""
    if not sentence.derivations:
        why = " ".join(sentence.meta.get("reason", "").split())
        return f"% sentence {sentence.id or count}: {sentence.meta.get('status', 'failed')}: {why}\n\n"
    return "".join(f"{name}ccg({number},\n{written(tree)}).\n\n" for tree in sentence.derivations or ())


def _written(tree: Derivation) -> str:
    return written_term(
        written_tree(tree), _step, lambda token: f"{quote(token.word)}, [{_attributes(token)}]"
    )


def _step(node: Derivation) -> str:
    """The name of a step and its categories: of a unary one also the former."""
    category = prolog_category(node.category)
    if len(node.children) == 1:
        return f"lx({category}, {prolog_category(node.children[0].category)}"
    return f"{rule_name(node.rule)}({category}"


def written_term(tree: Derivation, step: Callable[[Derivation], str], word: Callable[[Token], str]) -> str:
    """The term of a derivation, a line for each node: `step` opens that of a rule, `word` ends a leaf's."""
    written: list[str] = []
    agenda: list[tuple[Derivation, int, str]] = [(tree, 1, "")]
    while agenda:
        node, depth, after = agenda.pop()
        indent = " " * depth
        if node.token is not None:
            written.append(f"{indent}t({prolog_category(node.category)}, {word(node.token)}){after}")
            continue
        written.append(f"{indent}{step(node)},\n")
        ends = [",\n"] * (len(node.children) - 1) + [")" + after]
        steps = [(child, depth + 1, end) for child, end in zip(node.children, ends, strict=True)]
        agenda.extend(reversed(steps))
    return "".join(written)


def _attributes(token: Token) -> str:
    known = [] if token.lemma is None else [f"lemma:{quote(token.lemma)}"]
    if token.start is not None and token.end is not None:
        known += [f"from:{token.start}", f"to:{token.end}"]
    if token.pos is not None:
        known.append(f"pos:{quote(token.pos)}")
    return ", ".join(known)


CODEC = Codec(
    name="prolog", title="Prolog derivations of PMB, Boxer and C&C", suffixes=(".pl", ".ccg", ".parse.tags"),
    holds=Part.WORDS | Part.POS | Part.TAGS | Part.TREES | Part.IDS, needs=Part.WORDS | Part.TREES,
    blocks=_blocks, decode=_decode, encode=_encode,
    recognise=lambda head: any(_TERM.match(line) for line in head), header=_HEADER, verbatim=False,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
