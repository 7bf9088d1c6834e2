"""The chain-of-custody form and the labels as they are printed: the record's word, the same bytes always."""

import io
import json

import pikepdf
import pytest
import zxingcpp
from PIL import Image

from inspect_app.domain.errors import Refused
from inspect_app.reports import custody_form, labels
from inspect_app.reports.typeset import typeset
from inspect_app.store import inspections
from tests.laboratory import visit
from tests.office.conftest import Desk

STROKES = [{"points": [{"x": 1, "y": 2}, {"x": 30, "y": 14.25}]}, {"points": [{"x": 9, "y": 9}]}]


@pytest.fixture
def printed(app, visited):
    """`printed(make, *more)`: what a maker of forms gives for the visit."""

    def make(maker, *more):
        with app.app_context():
            return maker(inspections.inspection(visited), *more)

    return make


def kinds_in(pdf):
    """The kinds of the structure's elements, and what figures say to who cannot see them."""
    kinds, told = set(), []

    def walk(element):
        if isinstance(element, pikepdf.Array):
            for one in element:
                walk(one)
        elif isinstance(element, pikepdf.Dictionary):
            if "/S" in element:
                kinds.add(str(element["/S"]))
            if "/Alt" in element:
                told.append(str(element["/Alt"]))
            if "/K" in element:
                walk(element["/K"])

    walk(pdf.Root.StructTreeRoot.K)
    return kinds, told


def test_the_form_says_what_the_record_says(printed, visited):
    told = printed(custody_form.form_data)
    assert (told["form_no"], told["village"]) == (visit.COC, "Village of Howards Grove")
    assert ("User sampled", "Food Plant 1") in told["facts"]
    samples = {row[0]: row for row in told["samples"]}
    assert samples["HG-260415-CM03-C1"][1:5] == ["2026-04-15 08:00:00", "BOD, solids", "composite", "Plastic"]
    assert samples["HG-260415-CM03-G1"][3] == "grab"
    assert samples["HG-260415-CM03-C2"][6:8] == ["Sulfuric acid", "1.8"]
    assert {row[-1] for row in samples.values()} == {"004512"}
    seal, over, receipt = told["events"]
    assert over["who"] == "Sampler D to Courier 1"
    assert receipt["at"] == "2026-04-16 09:30:00"
    assert receipt["seal"] == "004512, Broken"
    assert receipt["condition"] == "7.0 °C, ice present"
    assert seal["prev"] == ""
    assert [over["prev"], receipt["prev"]] == [seal["hash"], over["hash"]]
    assert told["qr_says"] == f"{told['record']} {visit.COC} {receipt['hash']}"


def test_the_form_is_an_archive_that_screen_readers_read(printed):
    with pikepdf.open(io.BytesIO(printed(custody_form.custody_pdf))) as pdf:
        with pdf.open_metadata() as said:
            assert (said["pdfaid:part"], said["pdfaid:conformance"]) == ("2", "A")
            assert said["pdfuaid:part"] == "1"
            assert said["dc:title"].startswith(f"Chain of custody {visit.COC}")
        assert pdf.Root.MarkInfo.Marked
        assert str(pdf.Root.Lang) == "en"
        kinds, told = kinds_in(pdf)
    assert {"/H1", "/H2", "/Table", "/TH", "/TD", "/Figure"} <= kinds
    assert any(visit.COC in text for text in told)


def test_the_same_record_gives_the_same_bytes(printed):
    assert printed(custody_form.custody_pdf) == printed(custody_form.custody_pdf)


def test_the_code_on_the_form_is_read_from_its_picture(printed):
    told = printed(custody_form.form_data)
    picture = typeset("custody", json.dumps(told).encode(), "--png", "150")
    found = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)))
    assert [code.text for code in found] == [told["qr_says"]]


@pytest.mark.parametrize("roll", [False, True])
def test_each_label_is_read_back_letter_for_letter(printed, roll):
    told = printed(labels.labels_data, roll)
    assert told["labels"][0]["id"] == "HG-260415-CM03-C1"
    ids = ["00012", "0000000000", "HG-260415-CM03-C1", "x" * 25, "A-1/2 ü"]
    for label, sample_id in zip(told["labels"], ids, strict=False):
        label["id"], label["qr"] = sample_id, labels.code(sample_id)
    picture = typeset("labels", json.dumps(told).encode(), "--png", "200")
    found = {code.text for code in zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)))}
    assert found == ({ids[0]} if roll else set(ids[: len(told["labels"])]))


def test_what_is_typed_is_text_and_never_code_of_the_form(app, code):
    told = visit.case("Walkthrough 4")
    answers = {**told["answers"], "facility": '#panic("no") $x$ *bold* \\ <x> "'}
    _, record_id = visit.hand_in(app, code, {**told, "answers": answers})
    with app.app_context():
        record = inspections.inspection(record_id)
        assert ("User sampled", answers["facility"]) in custody_form.form_data(record)["facts"]
        assert custody_form.custody_pdf(record).startswith(b"%PDF")


@pytest.mark.parametrize("odd", [True, 7, "<b>", ["x", {}], {"value": [], "unit": 3}, {"lat": 1}], ids=str)
def test_answers_of_another_kind_are_printed_as_they_stand(app, code, odd):
    told = visit.case("Walkthrough 4")
    answers = json.loads(json.dumps(told["answers"]))
    names = set().union(*answers["containers"]) - {"sample_id"}
    answers["containers"] = [{"sample_id": "S-1", **dict.fromkeys(names, odd)}, odd, {"sample_id": odd}]
    asked = set().union(*answers["custody_events"]) - {"event_no"}
    answers["custody_events"] = [dict.fromkeys(asked, odd) | {"action": "seal", "signature": odd}]
    answers |= dict.fromkeys(("facility", "point_id", "coc_parent", "waybill_no", "mode"), odd)
    _, record_id = visit.hand_in(app, code, {**told, "answers": answers})
    with app.app_context():
        record = inspections.inspection(record_id)
        assert custody_form.form_data(record)["samples"][0][0] == "S-1"
        assert labels.labels_data(record, roll=False)["labels"][0]["id"] == "S-1"
        assert custody_form.custody_pdf(record).startswith(b"%PDF")


def test_two_holders_are_said_on_the_form(app, code):
    told = visit.case("Walkthrough 4")
    tablet, record_id = visit.hand_in(app, code, told)
    first = json.loads(json.dumps(told["answers"]["custody_events"][0]))
    tablet.op(
        "custody.append", record_id, event=json.dumps({"sample_set": visit.COC, "prev": "", **first, "x": 1})
    )
    tablet.sync()
    with app.app_context():
        events = custody_form.form_data(inspections.inspection(record_id))["events"]
    assert any("Two events follow the same one" in text for event in events for text in event["remarks"])


def test_a_signature_is_drawn_from_its_strokes_and_nothing_from_anything_else():
    drawn = custody_form.signature_svg(STROKES)
    assert "M1.0 2.0 L30.0 14.2" in drawn
    assert drawn.count("<path") == 2
    for other in (None, [], "x", [{"points": [{"x": "1", "y": 2}]}], [{"points": None}], [1]):
        assert custody_form.signature_svg(other) == ""


def test_a_record_without_containers_has_no_form_and_says_so(app, code, outsider):
    told = visit.case("Walkthrough 4")
    answers = {name: value for name, value in told["answers"].items() if name != "containers"}
    _, record_id = visit.hand_in(app, code, {**told, "answers": answers})
    with app.app_context(), pytest.raises(Refused, match="no container"):
        custody_form.custody_pdf(inspections.inspection(record_id))
    desk = Desk(app)
    desk.sign_in(outsider.sign_in_name, outsider.password)
    answer = desk.get(f"/howards-grove/records/{record_id}/custody.pdf", follow_redirects=True)
    assert "no container with a sample id" in answer.text
    assert "Samples on paper" not in answer.text


@pytest.mark.parametrize("name", ["custody.pdf", "labels.pdf", "labels.pdf?as=roll"])
def test_the_office_prints_them_from_the_record(app, visited, outsider, reviewer_1, name):
    desk, elsewhere = Desk(app), Desk(app)
    desk.sign_in(outsider.sign_in_name, outsider.password)
    elsewhere.sign_in(reviewer_1.sign_in_name, reviewer_1.password)
    path = f"/howards-grove/records/{visited}/{name}"
    assert path in desk.get(f"/howards-grove/records/{visited}").text
    answer = desk.get(path)
    assert answer.mimetype == "application/pdf"
    assert answer.data.startswith(b"%PDF")
    assert elsewhere.get(path).status_code == 404
    assert elsewhere.get(path.replace("howards-grove", "barneveld")).status_code == 404


def test_a_reader_prints_no_form(app, reader):
    desk = Desk(app)
    desk.sign_in(reader.sign_in_name, reader.password)
    assert desk.get("/barneveld/records/x/custody.pdf").status_code == 403
