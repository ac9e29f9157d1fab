"""Is this delivery from the service? Python 3.8 or later, no packages."""

import base64
import hashlib
import hmac
import os
import sys
import time


def verify(secret, headers, body, tolerance=300):
    """`headers` with lower-case names; `body` the bytes as they came.

    Standard Webhooks: base64 of HMAC-SHA256 over id, ".", timestamp, "." and body, under the key whose base64 follows
    "whsec_".
    """
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(time.time() - int(timestamp)) > tolerance:
        return False
    key = base64.b64decode(secret[len("whsec_"):])
    if not key:  # Anybody can sign with an empty key.
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # For a day after a rotation there are two, separated by a space.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(each, expected) for each in given)


# To try it: WEBHOOK_SECRET=whsec_… python3 verify.py <webhook-id> <webhook-timestamp> <webhook-signature> < body
if __name__ == "__main__":
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    tolerance = int(os.environ.get("WEBHOOK_TOLERANCE", "300"))
    genuine = verify(os.environ.get("WEBHOOK_SECRET", ""), dict(zip(names, sys.argv[1:])), sys.stdin.buffer.read(), tolerance)
    print("genuine" if genuine else "refused")
    sys.exit(0 if genuine else 1)
