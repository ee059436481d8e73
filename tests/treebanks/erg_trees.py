"""ERG derivations as nested tuples: a rule and its daughters, a leaf as `entry=word` or `entry=word=TAG`."""

from ccgkit.treebanks.erg import Item, Node


def item(text, tree, name="i1"):
    """An item whose leaves are found in the text one after the other."""
    place = 0

    def node(part):
        nonlocal place
        if isinstance(part, tuple):
            return Node(part[0], tuple(node(daughter) for daughter in part[1:]))
        entry, word, *tag = part.split("=")
        start = text.index(word, place)
        place = start + len(word)
        return Node(entry, (), start, place, tag[0] if tag else "")

    return Item(name, text, node(tree))


def nested(node):
    """A node as the lists of the JSON lines."""
    if node.children:
        return [node.name, *map(nested, node.children)]
    return [node.name, node.start, node.end, node.tag]


def pronoun(word, entry=None):
    return ("hdn_bnp-qnt_c", f"{entry or word.lower()}={word}=PRP")


def noun(word):
    return ("n_sg_ilr", f"{word.lower()}_n1={word}=NN")


def name(word):
    return ("hdn_bnp-pn_c", ("n_sg_ilr", f"generic_proper_ne={word}=NNP"))


def bare(word):
    return ("hdn_bnp_c", ("n_pl_olr", f"{word.lower()}_n1={word}=NNS"))


def the(*parts):
    """*the* and a noun, or a noun phrase's inside."""
    return ("sp-hd_n_c", "the_1=the=DT", parts[0] if isinstance(parts[0], tuple) else noun(parts[0]))


def past(word, lemma):
    return ("v_pst_olr", f"{lemma}_v1={word}=VBD")


def base(word):
    return ("v_n3s-bse_ilr", f"{word}_v1={word}=VB")
