"""The webhook vectors of all clients, whose file is the argument. Prints `ok`."""

import json
import sys

from carecover import WebhookVerificationError, verify_webhook

with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)
assert len(vectors) >= 50
for vector in vectors:
    problem: str | None = None
    for body in (vector["body"], vector["body"].encode()):
        try:
            event = verify_webhook(body, vector["headers"], vector["secret"], vector["now"])
            assert "id" in event, vector["name"]
        except WebhookVerificationError as error:
            problem = str(error)
        assert (problem is None) == (vector["problem"] is None), (vector["name"], problem)
        assert (vector["problem"] or "") in (problem or ""), (vector["name"], problem)
print("ok")
