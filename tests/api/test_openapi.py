"""The OpenAPI document is valid and true: schemathesis asks for what it promises and for what it forbids."""

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from openapi_spec_validator import validate
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.api.tablet import TUS


def test_the_document_is_valid_and_of_version_3_1(client):
    document = client.get("/api/v1/openapi.json").json
    validate(document)
    assert document["openapi"].startswith("3.1")


def test_every_operation_documents_its_errors_as_problems(client):
    document = client.get("/api/v1/openapi.json").json
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if method == "parameters":
                continue
            assert operation["summary"], (method, path)
            assert "default" in operation["responses"], (method, path)
    for name, response in document["components"]["responses"].items():
        if "content" in response:
            assert list(response["content"]) == ["application/problem+json"], name


# Beyond the usual: 410 for a cursor or an upload that is not known any more, 412 for a tus client of another
# version, as tus asks.
GOOD_STATUSES = ["2xx", "3xx", 401, 403, 404, 409, 410, 429]
BAD_STATUSES = [400, 401, 403, 404, 405, 406, 409, 410, 412, 415, 422, 428, 429]
# What no schema can say: that a point lies on the curve, that a base64 text holds a hash, or a text an op.
BEYOND_A_SCHEMA = {"POST /api/v1/devices", "POST /api/v1/files", "POST /api/v1/ops/carried"}


@pytest.fixture
def schema(app):
    config = schemathesis.Config.from_dict(
        {
            "checks": {
                "positive_data_acceptance": {"expected-statuses": GOOD_STATUSES},
                "negative_data_rejection": {"expected-statuses": BAD_STATUSES},
            }
        }
    )
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app, config=config)


@pytest.fixture
def headers_for(tablet_a):
    """The token an operation asks for, good for the whole test."""
    device, person = tablet_a.as_device(), tablet_a.as_person()

    def choose(operation):
        needed = operation.definition.raw.get("security") or [{}]
        token = device if "deviceToken" in needed[0] else person if "personToken" in needed[0] else {}
        return {**token, **(TUS if "/files" in operation.path else {})}

    return choose


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["good", "bad"])
def test_schemathesis_finds_nothing(schema, headers_for, mode):
    """Each operation with good and with bad data: no 5xx, and every answer as it is documented."""
    checked, found = [], []
    for result in schema.get_all_operations():
        operation = result.ok()
        try:
            check_with(operation, mode, headers_for(operation))
        except Unsatisfiable:
            pass  # this operation takes nothing that could be wrong
        except schemathesis.errors.SchemathesisError as nothing_to_negate:
            if "negative" not in str(nothing_to_negate).lower():
                raise
        except BaseExceptionGroup as failures:
            found.append(f"{operation.label}: {failures} {failures.exceptions}")
        checked.append(operation.label)
    assert not found, "\n\n".join(found)
    assert len(checked) == len(set(checked)) > 10


def check_with(operation, mode, headers):
    @settings(
        max_examples=25,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case):
        excluded = [positive_data_acceptance] if operation.label in BEYOND_A_SCHEMA else None
        case.call_and_validate(headers=headers, excluded_checks=excluded)

    check()


@schemathesis.serializer("application/offset+octet-stream")
def as_it_is(_context, value):
    """A part of a photo travels as its bytes."""
    return value if isinstance(value, bytes) else str(value).encode()
