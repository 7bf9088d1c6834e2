"""The sampling visit of walkthrough 4 as a record of a tablet, and its laboratory's report as a CSV."""

import json
from datetime import UTC, datetime
from pathlib import Path

from inspect_app.domain.envelopes import sha256
from inspect_app.store import forms
from tests.api.tablet import Tablet

CASES = json.loads((Path(__file__).parents[1] / "vectors" / "walkthrough4.json").read_text())
VISITED = datetime(2026, 4, 16, 20, tzinfo=UTC)
REPORTED = datetime(2026, 4, 20, 15, tzinfo=UTC)
COC = "COC-26-011"
HEADER = (
    "coc_no,sample_id,collected_at,received_at,analyzed_at,matrix,sample_type,composite_hours,analyte,result,"
    "unit,reported_as"
)
C1 = "HG-260415-CM03-C1,2026-04-15 08:00,2026-04-16 09:30,2026-04-16 15:00,wastewater,composite,24"
C2 = C1.replace("C1", "C2")
G1 = "HG-260415-CM03-G1,2026-04-15 09:12,2026-04-16 09:30,2026-04-16 15:00,wastewater,grab,"
C3 = C1.replace("C1", "C3")
ROWS = (
    f"{COC},{C1},BOD5,412,mg/L,",
    f"{COC},{C1},TSS,236,mg/L,",
    f"{COC},{C2},Total Phosphorus,9.8,mg/L,as P",
    f"{COC},{C2},TKN,33.0,mg/L,",
    f"{COC},{G1},Oil and Grease (HEM),104,mg/L,",
    f"{COC},{C3},Copper,1.4,mg/L,",
)


def csv_of(*rows, header=HEADER):
    return ("\r\n".join([header, *rows]) + "\r\n").encode()


def case(name):
    return next(found for found in CASES if found["name"].startswith(name))


def hand_in(app, code, told, coc_no=COC):
    """Record and hand in the visit of a vector, without what the laboratory says: (tablet, record id)."""
    tablet = Tablet(app, code, "Tablet of the sampler")
    tablet.wall = VISITED
    answers = told["answers"]
    with app.app_context():
        form = forms.protocol("manhole")
        groups = forms.groups("manhole")
    record_id = tablet.begin("manhole", form.version, place="CM-03, Food Plant 1", permit_no="SE-26-011")
    given = {**answers, "coc_no": coc_no}
    for group, fields in groups.items():
        if group in ("lab_results", "custody_events", "signatures"):
            continue
        values = {name: given[name] for name in fields if name in given}
        if values:
            tablet.set(record_id, group, values)
    prev = ""
    for event in answers.get("custody_events", ()):
        text = json.dumps({"sample_set": coc_no, "prev": prev, **event})
        tablet.op("custody.append", record_id, event=text)
        prev = sha256(text)
    tablet.sync()
    tablet.submit(record_id, context=told["context"])
    results = tablet.sync()
    assert {result["status"] for result in results} == {"applied"}, results
    return tablet, record_id
