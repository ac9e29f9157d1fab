"""What the fuzzer's configuration cannot say."""

import os
import re
import unicodedata
from datetime import datetime, timedelta, timezone

import schemathesis
from hypothesis import strategies as st

MAIN = f"Bearer {os.environ['FUZZ_KEY']}"
DISPOSABLE = f"Bearer {os.environ['FUZZ_DISPOSABLE_KEY']}"

# A key that is found in a list would be revoked, the fuzzer's own too, and so its user be deactivated. These operations
# act for a second business instead, whose own key and owner no list shows.
COULD_LOCK_OUT = {
    "createApiKey",
    "deleteApiKey",
    "inviteCollaborator",
    "updateCollaborator",
    "deleteCollaborator",
}

# A made-up client, product or moment is refused before anything is calculated, so most of these are made real ones.
QUOTES = {"createQuote", "updateQuote", "reviseQuote"}
TOMORROW = (datetime.now(timezone.utc) + timedelta(days=1)).isoformat()
SEEN = {"quotes": 0}


# Formats that the fuzzer does not know.
schemathesis.openapi.format("iso-8601", st.datetimes(min_value=datetime(2000, 1, 1)).map(lambda at: f"{at:%Y-%m-%dT%H:%M:%S}Z"))
schemathesis.openapi.format("country", st.sampled_from(["MX", "US", "CO", "DE"]))
schemathesis.openapi.format("entity-tags", st.sampled_from(['*', '"a"', 'W/"b"', '"a", "b"']))
schemathesis.openapi.format("time-zone", st.sampled_from(["America/Mexico_City", "Africa/Cairo", "UTC"]))


@schemathesis.hook
def filter_case(context, case):
    """What the schema cannot say: a long text is measured without the characters that cleaning removes, an e-mail address
    has at most 64 characters before its @, and an empty query parameter counts as absent."""
    return not is_shortened(case.body) and not has_long_address(case.body) and "" not in (case.query or {}).values()


def has_long_address(value):
    if isinstance(value, str):
        return value.find("@") > 64
    if isinstance(value, dict):
        return any(map(has_long_address, value.values()))
    return isinstance(value, list) and any(map(has_long_address, value))


def is_shortened(value):
    if isinstance(value, str):
        return len(value) > 100 and any(unicodedata.category(mark) in ("Cc", "Cf") for mark in value)
    if isinstance(value, dict):
        return any(map(is_shortened, value.values()))
    return isinstance(value, list) and any(map(is_shortened, value))


@schemathesis.hook
def before_call(context, case, kwargs):
    operation_id = case.operation.definition.raw.get("operationId")
    if operation_id in COULD_LOCK_OUT and (case.headers or {}).get("Authorization") == MAIN:
        case.headers["Authorization"] = DISPOSABLE
    name_real_version(case.headers or {})
    if operation_id in QUOTES and isinstance(case.body, dict):
        SEEN["quotes"] += 1
        if SEEN["quotes"] % 5 > 0:
            name_real_records(case.body)


def name_real_records(quote):
    """Only what is well formed is replaced: the rest is wrong on purpose."""
    if is_id(quote.get("clientId")):
        quote["clientId"] = os.environ["FUZZ_CLIENT_ID"]
    if is_moment(quote.get("expiresAt")):
        quote["expiresAt"] = TOMORROW
    if is_version(quote.get("version")):
        del quote["version"]
    items = quote.get("items")
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict) and is_id(item.get("productId")):
            item["productId"] = os.environ["FUZZ_PRODUCT_ID"]


def name_real_version(headers):
    """A made-up tag is that of no record, so nothing would be changed. A case with wrong credentials stays as it is: edited
    headers are checked again without them, and would count as valid."""
    if headers.get("Authorization") == MAIN and is_tags(headers.get("If-Match")):
        headers["If-Match"] = "*"


def is_tags(value):
    return isinstance(value, str) and re.fullmatch(r'(W/)?"[!#-~]*"( *, *(W/)?"[!#-~]*")*', value) is not None


def is_id(value):
    return isinstance(value, str) and 0 < len(value) <= 64


def is_version(value):
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def is_moment(value):
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except (TypeError, ValueError):
        return False


@schemathesis.hook
def filter_body(context, body):
    """A member called __proto__ is refused like broken JSON, however deep; that has a test of its own."""
    return not has_proto(body)


def has_proto(value):
    if isinstance(value, dict):
        return "__proto__" in value or any(map(has_proto, value.values()))
    return isinstance(value, list) and any(map(has_proto, value))
