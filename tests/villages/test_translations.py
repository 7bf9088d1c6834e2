"""Spanish for what forms and rules say: nothing missing, nothing left over, no form and no pack changed."""

import re
import shutil
from pathlib import Path

import pytest

from inspect_app.domain import shown_texts
from inspect_app.domain.errors import PackRefused
from inspect_app.store import forms, plain_yaml, translations, villages
from inspect_app.store.village_files import OWN_VILLAGES

PLACEHOLDER = re.compile(r"\{[^{}]*\}")
FILES = [*sorted(forms.FORMS.glob("**/es.yaml")), *sorted(OWN_VILLAGES.glob("*/es.yaml"))]
OAKFIELD = Path(__file__).parent / "third"


def all_forms():
    archived = {tuple(path.stem.rsplit("-", 1)) for path in forms.ARCHIVE.glob("*.yaml")}
    return [*forms.forms_for_tablets(), *forms.earlier_forms_for_tablets(archived)]


def read(path: Path) -> dict[str, str]:
    return plain_yaml.read(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def form_words():
    return read(forms.FORMS / "es.yaml")


@pytest.mark.parametrize("form", all_forms(), ids=lambda form: f"{form['protocol']}-{form['version']}")
def test_every_word_of_every_version_of_a_form_has_its_spanish(form, form_words):
    assert [text for text in shown_texts.of_form(form) if text not in form_words] == []


def test_no_translation_of_a_form_is_left_over(form_words):
    used = {text for form in all_forms() for text in shown_texts.of_form(form)}
    assert sorted(set(form_words) - used) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_a_translation_holds_the_same_values_as_its_english(path):
    said = read(path)
    assert [
        text for text, own in said.items() if set(PLACEHOLDER.findall(text)) != set(PLACEHOLDER.findall(own))
    ] == []
    assert not [text for text, own in said.items() if not own.strip() or own != own.strip()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_no_text_is_translated_twice_in_one_file(path):
    keys = re.findall(r'^("(?:[^"\\]|\\.)*"): ', path.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted({key for key in keys if keys.count(key) > 1}) == []


def test_a_translation_changes_no_pack_and_no_form(tmp_path):
    added = tmp_path / "barneveld"
    shutil.copytree(OWN_VILLAGES / "barneveld", added)
    before = villages.packs_of("barneveld", tmp_path)[-1].hash
    (added / "es.yaml").write_text('"Tap on the top half": "Toma arriba"\n', encoding="utf-8")
    villages.forget()
    try:
        place = villages.village("barneveld", tmp_path)
        assert villages.packs_of("barneveld", tmp_path)[-1].hash == before
        assert translations.translations(place)["es"]["Tap on the top half"] == "Toma arriba"
        assert translations.translations(place)["es"]["Joint upstream"] == "Junta aguas arriba"
    finally:
        villages.forget()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("- one", "one translation for each English text"),
        ('"Yes": 1', "put them in quotes"),
        ("No: No", "put them in quotes"),
        ('"a": "b', "cannot be read as YAML"),
    ],
)
def test_a_file_that_is_no_table_of_texts_is_refused_by_name(tmp_path, text, why):
    added = tmp_path / "barneveld"
    shutil.copytree(OWN_VILLAGES / "barneveld", added)
    (added / "es.yaml").write_text(text, encoding="utf-8")
    villages.forget()
    try:
        with pytest.raises(PackRefused, match=why) as refused:
            translations.translations(villages.village("barneveld", tmp_path))
        assert "es.yaml" in str(refused.value)
    finally:
        villages.forget()


def test_a_choice_in_the_sentence_of_a_rule_is_said_as_on_the_form():
    said = translations.translations(villages.village("barneveld"))["es"]
    assert said["Cut in wye"] == said["Cut-in wye"] == "Ye intercalada"


def test_a_third_village_is_shown_in_english_where_it_has_no_spanish_and_told_what_is_left():
    place = villages.village("oakfield", OAKFIELD)
    assert not (place.folder / "es.yaml").exists()
    said = translations.translations(place)["es"]
    assert "Tap not within twelve inches of a joint" not in said
    assert (
        said["Slope of the building sewer"] == "Pendiente del drenaje del edificio"
    )  # adopted from the State
