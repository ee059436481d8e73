"""What each construction of the English Resource Grammar gives to words, and that it derives."""

import pytest

from ccgkit.grammar import Category, Slash
from ccgkit.parsing import Parser, Status
from ccgkit.sentence import Supertag
from ccgkit.treebanks.constructions.modifiers import modifier
from ccgkit.treebanks.evidence import erg_evidence
from tests.treebanks.erg_trees import bare, base, item, name, noun, past, pronoun, the

VERB = r"(S[dcl]\NP)/NP"
MODIFIER = r"(S\NP)\(S\NP)"
CONSTRUCTIONS = {
    "complement, mark": (
        "Ada fed the cat.",
        (
            "sb-hd_mc_c",
            name("Ada"),
            ("hd-cmp_u_c", past("fed", "feed"), the(("hd-pct_c", noun("cat"), "period_pct=."))),
        ),
        rf"N {VERB} NP/N N .",
    ),
    "mark that is part of a word": (
        "Ada slept.",
        ("sb-hd_mc_c", name("Ada"), ("w_period_plr", past("slept.", "sleep"))),
        r"N S[dcl]\NP .",
    ),
    "two complements": (
        "Ada gave Bo the cat",
        (
            "sb-hd_mc_c",
            name("Ada"),
            ("hd-cmp_u_c", ("hd-cmp_u_c", past("gave", "give"), name("Bo")), the("cat")),
        ),
        rf"N ({VERB})/NP N NP/N N",
    ),
    "prepositional complement, adjunct": (
        "Ada relied on Bo in the park",
        (
            "sb-hd_mc_c",
            name("Ada"),
            (
                "hd-aj_int-unsl_c",
                ("hd-cmp_u_c", past("relied", "rely"), ("hd-cmp_u_c", "on_prtcl=on=IN", name("Bo"))),
                ("hd-cmp_u_c", "in=in=IN", the("park")),
            ),
        ),
        rf"N (S[dcl]\NP)/PP PP/NP N ({MODIFIER})/NP NP/N N",
    ),
    "particle": (
        "Ada gave up the boat",
        (
            "sb-hd_mc_c",
            name("Ada"),
            ("hd-cmp_u_c", ("hd-cmp_u_c", past("gave", "give"), "up_particle=up=RP"), the("boat")),
        ),
        rf"N ({VERB})/PR PR NP/N N",
    ),
    "passive with an agent": (
        "The cat was fed by Ada",
        (
            "sb-hd_mc_c",
            ("sp-hd_n_c", "the_1=The=DT", noun("cat")),
            (
                "hd-cmp_u_c",
                "be_c_was=was=VBD",
                (
                    "hd-cmp_u_c",
                    ("v_pas_odlr", "feed_v1=fed=VBN"),
                    ("hd-cmp_u_c", "by_pass_p=by=IN", name("Ada")),
                ),
            ),
        ),
        rf"NP/N N (S[dcl]\NP)/(S[pss]\NP) S[pss]\NP ({MODIFIER})/NP N",
    ),
    "control": (
        "Ada wanted to swim",
        (
            "sb-hd_mc_c",
            name("Ada"),
            ("hd-cmp_u_c", past("wanted", "want"), ("hd-cmp_u_c", "to_c_prop=to=TO", base("swim"))),
        ),
        r"N (S[dcl]\NP)/(S[to]\NP) (S[to]\NP)/(S[b]\NP) S[b]\NP",
    ),
    "object control": (
        "Ada persuaded Bo to swim",
        (
            "sb-hd_mc_c",
            name("Ada"),
            (
                "hd-cmp_u_c",
                ("hd-cmp_u_c", past("persuaded", "persuade"), name("Bo")),
                ("hd-cmp_u_c", "to_c_prop=to=TO", base("swim")),
            ),
        ),
        r"N ((S[dcl]\NP)/(S[to]\NP))/NP N (S[to]\NP)/(S[b]\NP) S[b]\NP",
    ),
    "negated auxiliary in two tokens": (
        "Ada didn't swim",
        ("sb-hd_mc_c", name("Ada"), ("hd-cmp_u_c", "did1_neg_4_u=didn't=VBD", base("swim"))),
        rf"N (S[dcl]\NP)/(S[b]\NP) {MODIFIER} S[b]\NP",
    ),
    "adverb after an auxiliary": (
        "Ada will often swim",
        (
            "sb-hd_mc_c",
            name("Ada"),
            ("hd-cmp_u_c", "will_aux_pos=will=MD", ("aj-hd_int_c", "often_adv1=often=RB", base("swim"))),
        ),
        rf"N (S[dcl]\NP)/(S[b]\NP) {MODIFIER} S[b]\NP",
    ),
    "that-clause": (
        "Ada knew that Bo swam",
        (
            "sb-hd_mc_c",
            name("Ada"),
            (
                "hd-cmp_u_c",
                past("knew", "know"),
                ("hd-cmp_u_c", "that_comp=that=IN", ("sb-hd_nmc_c", name("Bo"), past("swam", "swim"))),
            ),
        ),
        r"N (S[dcl]\NP)/S[em] S[em]/S[dcl] N S[dcl]\NP",
    ),
    "subordinate clause behind": (
        "Ada slept because Bo swam",
        (
            "hd-aj_scp_c",
            ("sb-hd_mc_c", name("Ada"), past("slept", "sleep")),
            ("hd-cmp_u_c", "because=because=IN", ("sb-hd_nmc_c", name("Bo"), past("swam", "swim"))),
        ),
        rf"N S[dcl]\NP ({MODIFIER})/S[dcl] N S[dcl]\NP",
    ),
    "adjunct in front": (
        "In May Ada swam",
        (
            "flr-hd_nwh_c",
            ("hd-cmp_u_c", "in_temp=In=IN", name("May")),
            ("sb-hd_nmc_c", name("Ada"), ("hd_xaj-int-vp_c", past("swam", "swim"))),
        ),
        r"(S/S)/NP N N S[dcl]\NP",
    ),
    "subject relative": (
        "the cat that slept",
        (
            "np_frg_c",
            the(
                (
                    "hdn-aj_rc_c",
                    noun("cat"),
                    ("flr-hd_rel-fin_c", "that_r=that=WDT", ("hd_xsb-fin_c", past("slept", "sleep"))),
                )
            ),
        ),
        r"NP/N N (N\N)/(S[dcl]\NP) S[dcl]\NP",
    ),
    "object relative": (
        "the cat that Ada fed",
        (
            "np_frg_c",
            the(
                (
                    "hdn-aj_rc_c",
                    noun("cat"),
                    (
                        "flr-hd_rel-fin_c",
                        "that_r=that=WDT",
                        ("sb-hd_nmc_c", name("Ada"), ("hd_xcmp_c", past("fed", "feed"))),
                    ),
                )
            ),
        ),
        rf"NP/N N (N\N)/(S[dcl]/NP) N {VERB}",
    ),
    "relative without a pronoun": (
        "the cat Ada fed",
        (
            "np_frg_c",
            the(
                (
                    "hdn-aj_rc_c",
                    noun("cat"),
                    ("cl_rc-fin-nwh_c", ("sb-hd_nmc_c", name("Ada"), ("hd_xcmp_c", past("fed", "feed")))),
                )
            ),
        ),
        rf"NP/N N N {VERB}",
    ),
    "relative after a comma": (
        "the cat, which slept",
        (
            "np_frg_c",
            the(
                (
                    "hdn-aj_rc-pr_c",
                    ("hd-pct_c", noun("cat"), "comma_pct=,"),
                    ("flr-hd_rel-fin_c", "which_r=which=WDT", ("hd_xsb-fin_c", past("slept", "sleep"))),
                )
            ),
        ),
        r"NP/N N , (NP\NP)/(S[dcl]\NP) S[dcl]\NP",
    ),
    "reduced relative": (
        "the cat fed in May",
        (
            "np_frg_c",
            the(
                (
                    "hdn-aj_rc_c",
                    noun("cat"),
                    (
                        "vp_rc-redrel_c",
                        (
                            "hd-aj_int-unsl_c",
                            ("v_pas_odlr", "feed_v1=fed=VBN"),
                            ("hd-cmp_u_c", "in_temp=in=IN", name("May")),
                        ),
                    ),
                )
            ),
        ),
        rf"NP/N N S[pss]\NP ({MODIFIER})/NP N",
    ),
    "long-distance question": (
        "What did Ada want to buy?",
        (
            "flr-hd_wh-mc_c",
            ("hdn_bnp-qnt_c", "what1=What=WP"),
            (
                "hd-cmp_u_c",
                ("hd-cmp_u_c", ("v_aux-sb-inv_dlr", "did1_pos=did=VBD"), name("Ada")),
                (
                    "hd-cmp_u_c",
                    base("want"),
                    (
                        "hd-cmp_u_c",
                        "to_c_prop=to=TO",
                        ("hd_xcmp_c", ("hd-pct_c", base("buy"), "qmark_pct=?")),
                    ),
                ),
            ),
        ),
        r"S[wq]/(S[q]/NP) (S[q]/(S[b]\NP))/NP N (S[b]\NP)/(S[to]\NP) (S[to]\NP)/(S[b]\NP) (S[b]\NP)/NP .",
    ),
    "question for the subject": (
        "Who fed the cat?",
        (
            "flr-hd_wh-mc-sb_c",
            ("hdn_bnp-qnt_c", "who1=Who=WP"),
            (
                "hd_xsb-fin_c",
                ("hd-cmp_u_c", past("fed", "feed"), the(("hd-pct_c", noun("cat"), "qmark_pct=?"))),
            ),
        ),
        rf"S[wq]/(S[dcl]\NP) {VERB} NP/N N .",
    ),
    "yes-no question": (
        "Will Ada swim?",
        (
            "hd_yesno_c",
            (
                "hd-cmp_u_c",
                ("hd-cmp_u_c", ("v_aux-sb-inv_dlr", "will_aux_pos=Will=MD"), name("Ada")),
                ("hd-pct_c", base("swim"), "qmark_pct=?"),
            ),
        ),
        r"(S[q]/(S[b]\NP))/NP N S[b]\NP .",
    ),
    "imperative": (
        "Feed the cat!",
        (
            "hd_imp_c",
            (
                "hd-cmp_u_c",
                ("v_n3s-bse_ilr", "feed_v1=Feed=VB"),
                the(("hd-pct_c", noun("cat"), "bang_pct=!")),
            ),
        ),
        r"(S[b]\NP)/NP NP/N N .",
    ),
    "coordination of noun phrases in a list": (
        "Ada, Bo and the cat slept",
        (
            "sb-hd_mc_c",
            (
                "np-np_crd-t_c",
                ("hd-pct_c", name("Ada"), "comma_pct=,"),
                ("np-np_crd-m_c", name("Bo"), ("mrk-nh_nom_c", "and_conj=and=CC", the("cat"))),
            ),
            past("slept", "sleep"),
        ),
        r"N , N conj NP/N N S[dcl]\NP",
    ),
    "coordination of verb phrases": (
        "Ada swam and then slept",
        (
            "sb-hd_mc_c",
            name("Ada"),
            (
                "vp-vp_crd-fin-t_c",
                past("swam", "swim"),
                (
                    "mrk-nh_evnt_c",
                    ("hd-aj_cmod_c", "and_conj=and=CC", "then_adv4=then=RB"),
                    past("slept", "sleep"),
                ),
            ),
        ),
        r"N S[dcl]\NP conj (S\NP)/(S\NP) S[dcl]\NP",
    ),
    "both … and": (
        "both Ada and Bo slept",
        (
            "sb-hd_mc_c",
            (
                "np-np_crd-t_c",
                ("mrk-nh_atom_c", "both_conj=both=CC", name("Ada")),
                ("mrk-nh_nom_c", "and_conj=and=CC", name("Bo")),
            ),
            past("slept", "sleep"),
        ),
        r"NP/NP N conj N S[dcl]\NP",
    ),
    "shared complement": (
        "Ada washed and fed the cat",
        (
            "sb-hd_mc_c",
            name("Ada"),
            (
                "hd-hd_rnr_c",
                (
                    "vp-vp_crd-fin-t_c",
                    ("hd_xcmp_c", past("washed", "wash")),
                    ("mrk-nh_evnt_c", "and_conj=and=CC", ("hd_xcmp_c", past("fed", "feed"))),
                ),
                the("cat"),
            ),
        ),
        rf"N {VERB} conj {VERB} NP/N N",
    ),
    "possessive": (
        "Ada's cat slept",
        (
            "sb-hd_mc_c",
            ("sp-hd_n_c", ("sp-hd_hc_c", name("Ada"), "apostrophe_s_12_lex='s=POS"), noun("cat")),
            past("slept", "sleep"),
        ),
        r"N (NP/(N/PP))\NP N/PP S[dcl]\NP",
    ),
    "relational noun": (
        "the size of the cat",
        ("np_frg_c", the(("hd-cmp_u_c", noun("size"), ("hd-cmp_u_c", "of_prtcl=of=IN", the("cat"))))),
        "NP/N N/PP PP/NP NP/N N",
    ),
    "of that is no complement, and a name": (
        "Ada of Linz",
        (
            "np_frg_c",
            (
                "hdn_bnp-pn_c",
                (
                    "hdn-aj_redrel_c",
                    ("n_sg_ilr", "generic_proper_ne=Ada=NNP"),
                    ("hd-cmp_u_c", "of_poss=of=IN", name("Linz")),
                ),
            ),
        ),
        r"N (N\N)/NP N",
    ),
    "compounds are flat": (
        "the harbour pilot boat",
        ("np_frg_c", the(("n-hdn_cpd_c", ("n-hdn_cpd_c", noun("harbour"), noun("pilot")), noun("boat")))),
        "NP/N N/N N/N N",
    ),
    "names": (
        "Ada King slept",
        (
            "sb-hd_mc_c",
            ("hdn_bnp-pn_c", ("np-hdn_nme-cpd_c", name("Ada"), ("n_sg_ilr", "generic_proper_ne=King=NNP"))),
            past("slept", "sleep"),
        ),
        r"N/N N S[dcl]\NP",
    ),
    "name in one entry": (
        "Red Sea boats",
        (
            "np_frg_c",
            (
                "hdn_bnp_c",
                (
                    "np-hdn_cpd_c",
                    ("hdn_bnp-pn_c", ("n_sg_ilr", "red_sea_n1=Red Sea=NNP")),
                    ("n_pl_olr", "boat_n1=boats=NNS"),
                ),
            ),
        ),
        "N/N N/N N",
    ),
    "numbers": (
        "two cats slept",
        (
            "sb-hd_mc_c",
            ("sp-hd_n_c", ("num_det_c", "two=two=CD"), ("n_pl_olr", "cat_n1=cats=NNS")),
            past("slept", "sleep"),
        ),
        r"N/N N S[dcl]\NP",
    ),
    "degrees": (
        "a very old cat",
        (
            "np_frg_c",
            (
                "sp-hd_n_c",
                "a_det=a=DT",
                ("aj-hdn_norm_c", ("sp-hd_hc_c", "very=very=RB", "old_a1=old=JJ"), noun("cat")),
            ),
        ),
        r"NP/N (N/N)/(S[adj]\NP) S[adj]\NP N",
    ),
    "comparison": (
        "Ada was more careful than Bo",
        (
            "sb-hd_mc_c",
            name("Ada"),
            (
                "hd-cmp_u_c",
                "be_c_was=was=VBD",
                (
                    "hd-cmp_u_c",
                    ("sp-hd_hc_c", "more_deg=more=RBR", "careful_a1=careful=JJ"),
                    ("hd-cmp_u_c", "than_p1=than=IN", name("Bo")),
                ),
            ),
        ),
        r"N (S[dcl]\NP)/(S[adj]\NP) ((S[adj]\NP)/PP)/(S[adj]\NP) S[adj]\NP PP/NP N",
    ),
    "time as an adjunct": (
        "Ada swam last week",
        (
            "sb-hd_mc_c",
            name("Ada"),
            (
                "hd-aj_int-unsl_c",
                past("swam", "swim"),
                ("np_adv_c", ("sp-hd_n_c", "last_det=last=JJ", noun("week"))),
            ),
        ),
        rf"N S[dcl]\NP ({MODIFIER})/N N",
    ),
    "apposition in brackets": (
        "the radar (a device) failed",
        (
            "sb-hd_mc_c",
            (
                "hdn-np_app-idf-p_c",
                the("radar"),
                (
                    "sp-hd_n_c",
                    ("pct-hd_c", "lparen_pct=(", "a_det=a=DT"),
                    ("hd-pct_c", noun("device"), "rparen_pct=)"),
                ),
            ),
            past("failed", "fail"),
        ),
        r"NP/N N (NP\NP)/NP NP/N N NP\NP S[dcl]\NP",
    ),
    "quotation marks": (
        'the "old" cat',
        (
            "np_frg_c",
            the(
                (
                    "aj-hdn_norm_c",
                    ("pct-hd_c", 'dqleft_pct="', ("hd-pct_c", "old_a1=old=JJ", 'dqright_pct="')),
                    noun("cat"),
                )
            ),
        ),
        "NP/N LRB N/N RRB N",
    ),
    "embedded question": (
        "Ada knew who swam",
        (
            "sb-hd_mc_c",
            name("Ada"),
            (
                "hd-cmp_u_c",
                past("knew", "know"),
                (
                    "flr-hd_wh-nmc-fin_c",
                    ("hdn_bnp-qnt_c", "who1=who=WP"),
                    ("hd_xsb-fin_c", past("swam", "swim")),
                ),
            ),
        ),
        r"N (S[dcl]\NP)/S[qem] S[qem]/(S[dcl]\NP) S[dcl]\NP",
    ),
    "free relative": (
        "Ada ate what Bo cooked",
        (
            "sb-hd_mc_c",
            name("Ada"),
            (
                "hd-cmp_u_c",
                past("ate", "eat"),
                (
                    "hdn_bnp-qnt_c",
                    (
                        "hd-cl_fr-rel_c",
                        "what2=what=WP",
                        ("sb-hd_nmc_c", name("Bo"), ("hd_xcmp_c", past("cooked", "cook"))),
                    ),
                ),
            ),
        ),
        rf"N {VERB} NP/(S[dcl]/NP) N {VERB}",
    ),
    "gerund after a preposition": (
        "Ada slept before feeding cats",
        (
            "sb-hd_mc_c",
            name("Ada"),
            (
                "hd-aj_int-unsl_c",
                past("slept", "sleep"),
                (
                    "hd-cmp_u_c",
                    "before3=before=IN",
                    (
                        "hdn_bnp-vger_c",
                        ("vp_np-ger_c", ("hd-cmp_u_c", ("v_prp_olr", "feed_v1=feeding=VBG"), bare("cats"))),
                    ),
                ),
            ),
        ),
        rf"N S[dcl]\NP ({MODIFIER})/(S[ng]\NP) (S[ng]\NP)/NP N",
    ),
    "purpose": (
        "Ada stopped to rest",
        (
            "sb-hd_mc_c",
            name("Ada"),
            ("hd-aj_scp_c", past("stopped", "stop"), ("hd-cmp_u_c", "to_subord=to=TO", base("rest"))),
        ),
        r"N S[dcl]\NP (S[to]\NP)/(S[b]\NP) S[b]\NP",
    ),
    "adjective after a possessive": (
        "my old cat",
        ("np_frg_c", ("sp-hd_n_c", "my=my=PRP$", ("aj-hdn_norm_c", "old_a1=old=JJ", noun("cat")))),
        "NP/(N/PP) N/N N/PP",
    ),
    "fragment of a verb phrase": (
        "feeding cats",
        ("vp_nfin-frg_c", ("hd-cmp_u_c", ("v_prp_olr", "feed_v1=feeding=VBG"), bare("cats"))),
        r"(S[ng]\NP)/NP N",
    ),
    "there": (
        "There was a cat",
        (
            "sb-hd_mc_c",
            "there_expl=There=EX",
            ("hd-cmp_u_c", "be_th_cop_was=was=VBD", ("sp-hd_n_c", "a_det=a=DT", noun("cat"))),
        ),
        r"NP[thr] (S[dcl]\NP[thr])/NP NP/N N",
    ),
    "conjunction at the front": (
        "But Ada slept",
        (
            "cl_cnj-frg_c",
            ("mrk-nh_cl_c", "but_conj=But=CC", ("sb-hd_mc_c", name("Ada"), past("slept", "sleep"))),
        ),
        r"S/S N S[dcl]\NP",
    ),
}


@pytest.fixture(scope="module")
def parser():
    return Parser()


@pytest.mark.parametrize("construction", CONSTRUCTIONS)
def test_a_construction_gives_words_their_categories_and_derives(construction, parser):
    text, tree, expected = CONSTRUCTIONS[construction]
    evidence = erg_evidence(item(text, tree))
    found = [str(proposal[0]) for proposal in evidence.proposals]
    assert found == expected.split(" ")
    tags = tuple((Supertag(Category.parse(category)),) for category in found)
    sentence = evidence.sentence.__class__(evidence.sentence.tokens, tags)
    result = parser.parse(sentence, constraints=evidence.constraints)
    assert result.status is Status.PARSED
    assert not evidence.constraints.violations(result.derivation)


def test_what_a_rule_does_not_know_costs_one_constituent():
    tree = (
        "sb-hd_mc_c",
        ("no-such_rule_c", name("Ada"), name("Bo")),
        ("hd-cmp_u_c", past("fed", "feed"), the("cat")),
    )
    proposals = erg_evidence(item("Ada Bo fed the cat", tree)).proposals
    assert [list(map(str, proposal)) for proposal in proposals] == [[], [], [VERB], ["NP/N"], ["N"]]


def test_pronouns_are_noun_phrases():
    tree = ("sb-hd_mc_c", pronoun("She"), past("slept", "sleep"))
    assert str(erg_evidence(item("She slept", tree)).proposals[0][0]) == "NP"


def test_modifiers_of_modifiers_come_to_an_end():
    category = Category.parse("N")
    levels = 0
    while (category := modifier(category, Slash.FORWARD)) is not None:
        levels += 1
        assert levels < 5
    assert levels == 3
