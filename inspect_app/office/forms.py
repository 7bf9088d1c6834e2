"""Forms of the office: what is asked, and the sentences shown at a field that cannot be accepted."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from flask_wtf import FlaskForm
from wtforms import (
    DateTimeLocalField,
    PasswordField,
    SearchField,
    SelectField,
    SelectMultipleField,
    StringField,
    TextAreaField,
)
from wtforms.validators import InputRequired, Length, Optional
from wtforms.widgets import CheckboxInput, ListWidget

from inspect_app.domain.errors import Refused
from inspect_app.services.passwords import LEAST_PASSWORD_LENGTH

BROKEN = "This holds a character that is none. Type it again."
NOT_LISTED = "This is not on the list any more. Choose again."
ROLE_WORDS = {
    "inspector": "Inspector: records visits on a tablet",
    "reviewer": "Reviewer: reviews, approves, assigns",
    "administrator": "Administrator: people and tablets",
    "reader": "Reader: sees everything, changes nothing",
}


class Form(FlaskForm):
    """A form that can also show what a service refused, at the field it is about."""

    def validate(self, extra_validators: Any = None) -> bool:
        """Also refuse NUL, which no database keeps, at the field that holds it."""
        whole = super().validate(extra_validators)
        for field in self:
            if isinstance(field.data, str) and "\x00" in field.data:
                field.errors = [*field.errors, BROKEN]
                whole = False
        return whole

    def take(self, refusal: Refused) -> str | None:
        """Put a refusal's messages at their fields; returns the message if it belongs to none."""
        left = None
        for path, messages in (refusal.errors or {}).items():
            if path in self:
                self[path].errors = [*self[path].errors, *messages]
            else:
                left = messages[0]
        return left if refusal.errors else str(refusal)


class Boxes(SelectMultipleField):
    """Several boxes to tick."""

    widget = ListWidget(prefix_label=False)
    option_widget = CheckboxInput()


class SignInForm(Form):
    name = StringField("Sign-in name", [InputRequired("Type your sign-in name.")])
    password = PasswordField("Password", [InputRequired("Type your password.")])


class PasswordForm(Form):
    current = PasswordField("Current password", [InputRequired("Type your current password.")])
    new = PasswordField(
        "New password", [InputRequired(f"Type a new password of {LEAST_PASSWORD_LENGTH} characters or more.")]
    )


class PersonForm(Form):
    name = StringField(
        "Name",
        [
            InputRequired("Type the name that records will show."),
            Length(max=120, message="Shorten the name."),
        ],
    )
    sign_in_name = StringField("Sign-in name", [InputRequired("Type a sign-in name.")])
    roles = Boxes("Roles", choices=ROLE_WORDS, invalid_choice_message=NOT_LISTED)


class RolesForm(Form):
    roles = Boxes("Roles", choices=ROLE_WORDS, invalid_choice_message=NOT_LISTED)


class CodeForm(Form):
    person_id = SelectField(
        "Inspector", [InputRequired("Choose whom the tablet is for.")], invalid_choice_message=NOT_LISTED
    )


class ConfirmForm(Form):
    """Nothing to fill in: the question is on the page, the token in the form."""


class AssignmentForm(Form):
    protocol = SelectField(
        "Kind of inspection",
        [InputRequired("Choose the kind of inspection.")],
        invalid_choice_message=NOT_LISTED,
    )
    place = StringField(
        "Place",
        [
            InputRequired("Type the address or the manhole."),
            Length(max=200, message="The place is longer than 200 characters. Shorten it."),
        ],
    )
    permit_no = StringField(
        "Permit", [Length(max=60, message="A permit number has at most 60 characters. Shorten it.")]
    )
    person_id = SelectField("Inspector", invalid_choice_message=NOT_LISTED)
    due_at = DateTimeLocalField(
        "When",
        [Optional()],
        format=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"],
        invalid_value_message="This cannot be read as day and time. Type it as 2026-06-18T13:10.",
    )
    note = TextAreaField(
        "Note for the inspector",
        [Length(max=2000, message="The note is longer than 2,000 characters. Shorten it.")],
    )
    latitude = StringField("Latitude")
    longitude = StringField("Longitude")

    def due(self, zone: ZoneInfo) -> datetime | None:
        """The time typed, which is the village's, as an instant."""
        return self.due_at.data.replace(tzinfo=zone).astimezone(UTC) if self.due_at.data else None

    def position(self) -> tuple[float | None, float | None]:
        """Latitude and longitude as typed; raises Refused for what is no number."""
        errors = {}
        numbers: list[float | None] = []
        for field in (self.latitude, self.longitude):
            typed = (field.data or "").strip().replace("−", "-")
            try:
                numbers.append(float(typed) if typed else None)
            except ValueError:
                errors[field.name] = [f"{typed} is not a number. Type degrees with a point, such as 43.0155."]
        if errors:
            raise Refused("The position cannot be read.", errors=errors)
        return numbers[0], numbers[1]


class SearchForm(Form):
    class Meta:
        csrf = False  # it only reads

    q = SearchField("Place or permit")
    state = SelectField(
        "State",
        choices={"open": "Open and begun", "done": "Done", "cancelled": "Cancelled"},
        default="open",
    )
