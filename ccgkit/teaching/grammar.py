"""A grammar of one's own: a lexicon, rules that can be switched off, and all derivations under them.

>>> from ccgkit.teaching import Lexicon
>>> grammar = Grammar(Lexicon.fromstring(r'''
... John Mary := NP
... likes := (S\\NP)/NP
... '''))
>>> grammar.parse("John likes Mary").count
1
>>> Grammar(grammar.lexicon, normal_form=False).parse("John likes Mary").count
5
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files

from ..grammar import Category, Derivation, Functor, Scheme, Slash, Token, load_scheme, unify
from ..grammar.category import as_category
from ..grammar.rules import Kind, Rule
from ..grammar.schemes import UnaryChange
from ..parsing import Forest, forest
from ..sentence import Sentence, Supertag
from .exercises import Mistake, mistakes
from .lexicon import Lexicon
from .normal_form import conjoined_unraised

__all__ = ["Grammar"]

RAISED = ("NP", "PP")  #: the atoms that are type-raised unless others are named


class Grammar:
    r"""A lexicon and the rules under which its words combine.

    `composition` and `type_raising` can be switched off; `crossed` (composition) and `substitution` switched
    on. `type_raising="NP"` raises those atoms alone, not also PP. `normal_form` leaves out
    derivations that only repeat a simpler one (Eisner 1996). Instead of a textbook's rules, a treebank's
    `scheme` can be taken, with its own type-raising: ccgbank, rebank, udccg or a file.

    >>> lexicon = Lexicon.fromstring(r'''
    ... John Mary := NP
    ... likes := (S\NP)/NP
    ... ''')
    >>> Grammar(lexicon).parse("John likes Mary").count
    1
    """

    def __init__(
        self,
        lexicon: Lexicon,
        scheme: str | None = None,
        *,
        composition: bool = True,
        crossed: bool = False,
        type_raising: bool | str = True,
        substitution: bool = False,
        normal_form: bool = True,
    ) -> None:
        self.lexicon = lexicon
        self.normal_form = normal_form
        base = load_scheme(scheme) if scheme else _textbook()
        atoms = type_raising.split() if isinstance(type_raising, str) else RAISED
        unary = (*base.unary, *(() if scheme else _type_raising(lexicon, atoms)))
        self._full = replace(base, rules=(*base.rules, *_CROSSED, *_SUBSTITUTION), unary=unary)
        added = (*(_CROSSED if crossed else ()), *(_SUBSTITUTION if substitution else ()))
        rules = dict.fromkeys((*base.rules, *added))
        self.scheme = replace(
            self._full,
            rules=tuple(rule for rule in rules if composition or rule.kind is not Kind.COMPOSITION),
            unary=tuple(one for one in unary if type_raising or not _raises(one)),
        )

    def parse(self, sentence: str | Sequence[str], root: Category | str | None = None) -> Forest:
        """All derivations of a sentence, in words or to be split at white space, as a `root`.

        Without one they are of the lexicon's start category.

        Raises `UnknownWordError` where a word has no entry.
        """
        words = tuple(sentence.split() if isinstance(sentence, str) else sentence)
        tags = tuple(tuple(map(Supertag, found)) for found in self.lexicon.lookup(words))
        bare = Sentence(tuple(map(Token, words)), tags)
        found = forest(bare, self.scheme, normal_form=self.normal_form, pruned=False)
        if self.normal_form:
            found = conjoined_unraised(found)
        wanted = self.lexicon.start if root is None else as_category(root)
        whole = [node for node in found.edges if node[:2] == (0, len(words))]
        return replace(found, roots=tuple(one for one in whole if unify(wanted, found.categories[one[2]])))

    def check(self, exercise: str | Derivation) -> list[Mistake]:
        """What is wrong with a derivation, or with its steps as text; an empty list if it is right."""
        return mistakes(exercise, self.lexicon, self.scheme, self._full)

    def __repr__(self) -> str:
        symbols = " ".join(rule.symbol for rule in self.scheme.rules)
        return f"<Grammar of {len(self.lexicon.entries)} words: {symbols}>"


_CROSSED = tuple(rule for rule in Rule if rule.kind is Kind.COMPOSITION and rule.is_crossed)
_SUBSTITUTION = tuple(rule for rule in Rule if rule.kind is Kind.SUBSTITUTION)


@cache
def _textbook() -> Scheme:
    with as_file(files(__package__) / "textbook.toml") as path:
        return load_scheme(str(path))


def _type_raising(lexicon: Lexicon, atoms: Sequence[str]) -> Iterator[UnaryChange]:
    """Type-raising of `atoms` over every `T` that the lexicon's functors make of them, modifiers aside."""
    targets: defaultdict[tuple[str, Slash], dict[Category, None]] = defaultdict(dict)
    lexical = dict.fromkeys(one.without_features() for found in lexicon.entries.values() for one in found)
    for category in lexical:  # without features, which what is raised takes from the functor that it meets
        while isinstance(category, Functor):
            result, argument = category.result, category.argument
            if str(argument) in atoms and not (category.is_modifier or result.is_modifier):
                targets[str(argument), category.slash][result] = None
            category = result
    for (atom, slash), results in targets.items():
        schema = r"T/(T\CHILD)" if slash is Slash.BACKWARD else r"T\(T/CHILD)"
        yield UnaryChange((Category.parse(atom),), (Category.parse(schema),), tuple(results))


def _raises(change: UnaryChange) -> bool:
    return all(parent.is_type_raised for parent in change.parents)
