"""The figures of "Generating CCG Categories" (Liu, Ji, Wu and Lan, AAAI 2021), all on CCGbank.

By experiment: system → column → figure. Systems have the names of `systems`, the re-ranked one `cg+cgng2`;
those of others, which the paper quotes, have the names of their authors.
"""

from __future__ import annotations

__all__ = [
    "ABLATION", "DOMAIN", "EARLIER", "EARLIER_GOLD_POS", "EARLIER_PARSERS", "LEGALITY", "LOW_RESOURCE",
    "MAIN", "ORACLES", "PARSING", "PRETRAINED", "RARE", "RARE_SHARE", "SPEED", "UNSEEN",
]  # fmt: skip

Figures = dict[str, dict[str, float]]


def _rows(columns: str, rows: dict[str, tuple[float | None, ...]]) -> Figures:
    names = columns.split("|")
    return {
        system: {name: value for name, value in zip(names, values, strict=True) if value is not None}
        for system, values in rows.items()
    }


MAIN = _rows(
    "Dev|Test|Size, MB|Sentences/s",
    {
        "cc": (94.89, 95.21, 77.11, 466),
        "cg": (95.10, 95.28, 79.94, 199),
        "cgng2": (95.26, 95.44, 80.02, 199),
        "ct": (94.06, 94.09, 77.97, 21),
        "cg+cgng2": (95.27, 95.48, None, 199),
        "cc-bert": (96.01, 95.93, 78.62, 231),
        "cg-bert": (96.13, 95.97, 81.35, 131),
        "cgng2-bert": (96.18, 95.99, 81.53, 131),
        "ct-bert": (95.28, 94.91, 79.48, 17),
        "cg-bert+cgng2-bert": (96.24, 96.05, None, 131),
    },
)
EARLIER = _rows(
    "Dev|Test|Size, MB",
    {
        "C&C": (91.50, 92.02, None), "Lewis et al. 2016": (94.10, 94.30, 48.88),
        "Lewis et al. 2016, tri-training": (94.90, 94.70, None), "Vaswani et al. 2016": (94.24, 94.50, None),
        "Wu et al. 2017, AAAI": (94.50, 94.71, 99.16), "Wu et al. 2017, NLPCC": (94.72, 95.08, 189.37),
    },
)  # fmt: skip
PRETRAINED = _rows("Dev|Test", {"Clark et al. 2018": (None, 96.10), "Bhargava and Penn 2020": (96.27, 96.00)})
ORACLES = _rows(
    "Dev|Test",
    {
        "cc": (94.89, 95.21), "cg": (95.10, 95.28), "cgpa": (95.12, 95.31), "cgng2": (95.26, 95.44),
        "cgng3": (95.13, 95.37), "cgng4": (95.25, 95.48), "cgpa-nd": (95.08, 95.43),
        "cgor-nd": (95.00, 95.24), "cgng2-nd": (95.07, 95.39), "cgng3-nd": (95.23, 95.38),
        "cgng4-nd": (95.20, 95.35),
    },
)  # fmt: skip
ABLATION = _rows(
    "Dev|Difference",
    {
        "cg-300": (94.30, None), "cg-300-eq3": (None, 0.63), "cg-300-eq2": (None, 0.65),
        "cc": (94.89, None), "cc-nocnn": (None, -0.19), "cc-nodropout": (None, -1.49),
        "cg": (95.10, None), "cg-nocnn": (None, -0.36), "cg-nodropout": (None, -1.30),
        "cg-notag": (None, -0.59), "ct": (94.06, None),
    },
)  # fmt: skip
RARE = _rows(
    "10-99|100-399|400-1999",
    {
        "cc": (60.41, 77.06, 86.77), "ct": (41.86, 63.81, 79.73), "cg": (62.44, 77.51, 87.58),
        "cgng2": (65.83, 78.95, 87.93), "cg+cgng2": (64.25, 79.84, 88.16),
    },
)  # fmt: skip
RARE_SHARE = {"10-99": 40.46, "100-399": 17.70, "400-1999": 11.49}
UNSEEN = _rows(
    "p@1|p@2|p@4|p@8",
    {
        "cg": (11.54, 17.31, 20.19, 25.00), "cg, without features": (20.19, 32.69, 35.58, 43.27),
        "cgng2": (8.65, 14.42, 15.38, 22.12), "cgng2, without features": (21.15, 29.81, 31.73, 39.42),
        "ct": (0.96, 4.81, 5.77, 7.69), "ct, without features": (6.73, 14.42, 25.96, 31.73),
    },
)  # fmt: skip
DOMAIN = _rows(
    "bioinfer|wiki",
    {"cc": (80.68, 92.05), "cg": (80.68, 92.24), "cgng2": (80.99, 92.34), "cg+cgng2": (81.05, 92.42)},
)
LOW_RESOURCE = _rows(
    "Dev|Test",
    {"cc": (63.33, 62.67), "cg": (63.17, 62.84), "cgng2": (64.55, 64.10), "cg+cgng2": (64.67, 64.38)},
)
LEGALITY = _rows("1-best|4-best", {"cg": (0.0, 0.05), "cgng2": (0.0, 0.04)})
SPEED = _rows(
    "Sentences/s|Ratio to CC",
    {
        "cc": (466, 1.0), "cg": (199, 0.43), "cgng2": (199, 0.43), "ct": (21, 0.045), "cg+cgng2": (199, 0.43),
        "cc-bert": (231, 0.50), "cg-bert": (131, 0.28), "cgng2-bert": (131, 0.28), "ct-bert": (17, 0.036),
        "cg-bert+cgng2-bert": (131, 0.28),
    },
)  # fmt: skip
EARLIER_PARSERS = _rows(
    "F1|UF1",
    {
        "C&C": (85.45, 91.65), "Lewis and Steedman 2014": (83.37, None), "Xu et al. 2015": (87.04, None),
        "Lewis et al. 2016": (87.80, None), "Vaswani et al. 2016": (88.32, None),
        "Yoshikawa et al. 2017": (88.80, 94.00),
    },
)  # fmt: skip
EARLIER_GOLD_POS = _rows("F1", {"Bhargava and Penn 2020": (90.2,), "Bhargava and Penn 2020, BERT": (90.90,)})
PARSING = _rows(
    "F1|UF1",
    {
        "cc": (89.52, 94.05), "cg": (89.68, 94.14), "cgng2": (89.76, 94.22), "ct": (88.37, 93.36),
        "cg+cgng2": (89.80, 94.22), "cc-bert": (90.69, 94.71), "cg-bert": (90.77, 94.76),
        "cgng2-bert": (90.82, 94.79), "ct-bert": (89.70, 94.17), "cg-bert+cgng2-bert": (90.87, 94.83),
        "cg+cgng2, gold POS": (90.24, 94.52), "cg-bert+cgng2-bert, gold POS": (91.15, 95.01),
    },
)  # fmt: skip
