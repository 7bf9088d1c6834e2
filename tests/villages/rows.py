"""The rows of both ordinances that the product answers for: 76 of Barneveld, 97 of Howards Grove."""

_LAST = {
    "barneveld": {
        **{"BV-DEF": 7, "BV-REC": 2, "BV-ACC": 3, "BV-ENF": 4, "BV-LIC": 1, "BV-APP": 5, "BV-PMT": 1},
        **{"BV-USR": 2, "BV-NOT": 2, "BV-EXC": 7, "BV-TAP": 5, "BV-LAT": 4, "BV-SEP": 2, "BV-BIL": 8},
        **{"BV-HKP": 5, "BV-MNT": 2, "BV-PRH": 13, "BV-SUR": 1, "BV-UNT": 1, "BV-REF": 1},
    },
    "howards_grove": {
        **{"HG-DEF": 10, "HG-CAT": 2, "HG-IND": 1, "HG-GRB": 1, "HG-EHU": 5, "HG-STM": 2, "HG-PRH": 19},
        **{"HG-PRT": 2, "HG-AGR": 1, "HG-CAP": 1, "HG-RPT": 3, "HG-CMH": 3, "HG-FLW": 2, "HG-SMP": 9},
        **{"HG-INT": 3, "HG-BIL": 3, "HG-MNT": 1, "HG-ACC": 3, "HG-PMT": 2, "HG-LAT": 7, "HG-DSP": 3},
        **{"HG-EXC": 2, "HG-ENF": 5, "HG-APL": 6, "HG-AUD": 1},
    },
}
ROWS = {
    village: [f"{stem}-{number:02d}" for stem, last in stems.items() for number in range(1, last + 1)]
    for village, stems in _LAST.items()
}
