"""PMB's `.der.xml`: derivations as Boxer prints them, without their semantics.

    <xdrs-output>
     <der id="1">
    <binaryrule type="ba" description="Backward Application"><cat><atomic feature="dcl">S</atomic></cat>…
     </der>
    </xdrs-output>

As in PMB's Prolog, coordination is `X\\X`, not `X[conj]`, and heads are not kept.
"""

from __future__ import annotations

from xml.etree import ElementTree as XML
from xml.sax.saxutils import escape, quoteattr

from ..grammar import Atom, Category, CCGKitError, Derivation, Functor, Rule, Slash, Token
from ..sentence import Sentence
from .blocks import Block, is_number
from .codec import Codec, Part
from .elements import elements, remark
from .prolog import PUNCTUATION
from .rule_names import named_rule, rule_name, with_rules, without_marks

__all__ = ["CODEC", "dump", "dumps", "load", "loads"]

_NODES = ("binaryrule", "unaryrule", "lex")
_SYMBOLS = {name.upper(): symbol for symbol, name in PUNCTUATION.items()} | {"CONJ": "conj"}
_NIL = "<sem><var>nil</var></sem>"


def _decode(block: Block) -> Sentence:
    der = block.payload
    done: list[Derivation] = []
    for element in reversed([part for part in der.iter() if part.tag in _NODES]):
        category = _category(block, element.find("cat"))
        if element.tag == "lex":
            done.append(Derivation(category, token=_token(block, element)))
            continue
        wanted = 1 if element.tag == "unaryrule" else 2
        if sum(child.tag in _NODES for child in element) != wanted:
            raise block.error(f"<{element.tag}> needs {wanted} constituents")
        children = tuple(done.pop() for _ in range(wanted))
        done.append(Derivation(category, children, None, named_rule(element.get("type", ""), category)))
    if len(done) != 1:
        raise block.error(f"<der> needs one derivation but has {len(done)}")
    return Sentence(done[0].tokens, derivations=(done[0],), id=der.get("id"))


def _category(block: Block, element: XML.Element | None) -> Category:
    """The category in `<cat>`: `<atomic>`, `<forward>` and `<backward>` elements."""
    if element is None:
        raise block.error("a constituent without <cat>")
    done: list[Category] = []
    for part in reversed(list(element.iter())[1:]):
        if part.tag == "atomic":
            done.append(_atom(block, part))
        elif part.tag in ("forward", "backward") and len(part) == 2:
            result, argument = done.pop(), done.pop()
            done.append(Functor(result, "/" if part.tag == "forward" else "\\", argument))
        else:
            raise block.error(f"<{part.tag}> with {len(part)} parts is not a category")
    if len(done) != 1:
        raise block.error(f"<cat> needs one category but has {len(done)}")
    return done.pop()


def _atom(block: Block, element: XML.Element) -> Atom:
    base = (element.text or "").strip()
    base = _SYMBOLS.get(base, base)
    try:
        return Atom(base, None if base == "conj" else element.get("feature"))
    except CCGKitError as error:
        raise block.error(f"{base!r} is not an atom") from error


def _token(block: Block, element: XML.Element) -> Token:
    tags = {tag.get("type"): (tag.text or "").strip() for tag in element.iter("tag")}
    word = element.findtext("token")
    offsets = [tags.get(name, "") for name in ("from", "to")]
    if not word or not all(is_number(offset) or not offset for offset in offsets):
        raise block.error("<lex> needs a <token>, and numbers as from and to")
    start, end = (int(offset) if offset else None for offset in offsets)
    return Token(word, tags.get("pos") or None, start, end, lemma=tags.get("lemma") or None)


def _encode(sentence: Sentence, count: int) -> str:
    if not sentence.derivations:
        return " " + remark(sentence, count)
    name = quoteattr(sentence.id or str(count))
    trees = (_written(tree) for tree in sentence.derivations or ())
    return "".join(f" <der id={name}>\n{text}\n </der>\n" for text in trees)


def _written(tree: Derivation) -> str:
    written: list[str] = []
    agenda: list[Derivation | str] = [with_rules(tree)]
    while agenda:
        given = agenda.pop()
        if isinstance(given, str):
            written.append(given)
            continue
        node = without_marks(given)
        category = f"<cat>{_written_category(node.category)}</cat>"
        if node.token is not None:
            written.append(f"<lex>{_written_token(node.token)}{category}{_NIL}</lex>")
            continue
        tag = "unaryrule" if len(node.children) == 1 else "binaryrule"
        rule = node.rule or (Rule.TYPE_CHANGE if tag == "unaryrule" else None)
        what = rule.name.replace("_", " ").title() if rule else "Unknown"
        written.append(f'<{tag} type="{rule_name(rule)}" description="{what}">{category}{_NIL}')
        agenda.append(f"</{tag}>")
        agenda.extend(reversed(node.children))
    return "".join(written)


def _written_token(token: Token) -> str:
    tags = (("lemma", token.lemma), ("from", token.start), ("to", token.end), ("pos", token.pos))
    known = (f'<tag type="{name}">{escape(str(value))}</tag>' for name, value in tags if value is not None)
    return f"<token>{escape(token.word)}</token>{''.join(known)}"


def _written_category(category: Category) -> str:
    return category.fold(_written_atom, _written_functor)


def _written_atom(atom: Atom) -> str:
    feature = "" if atom.feature is None else f" feature={quoteattr(atom.feature)}"
    return f"<atomic{feature}>{'CONJ' if atom.base == 'conj' else escape(atom.base)}</atomic>"


def _written_functor(functor: Functor, result: str, argument: str) -> str:
    tag = "forward" if functor.slash is Slash.FORWARD else "backward"
    return f"<{tag}>{result}{argument}</{tag}>"


CODEC = Codec(
    name="pmb_xml", title="PMB derivations in XML", suffixes=(".der.xml", ".xml"),
    holds=Part.WORDS | Part.POS | Part.TAGS | Part.TREES | Part.IDS, needs=Part.WORDS | Part.TREES,
    blocks=elements("der", ("xdrs-output", "der"), "PMB's XML"), decode=_decode, encode=_encode,
    recognise=lambda head: any("<xdrs-output" in line or "<der " in line for line in head),
    header='<?xml version="1.0" encoding="UTF-8"?>\n<xdrs-output>\n', footer="</xdrs-output>\n",
    verbatim=False,
)  # fmt: skip
load, loads, dump, dumps = CODEC.load, CODEC.loads, CODEC.dump, CODEC.dumps
