"""The quick start as a program: from a coverage to a settled claim, a received webhook and two valuations.

CARECOVER_URL (ending in /v1) and CARECOVER_KEY (sk_test_…) name the service; docs/guides/quick-start.md explains the steps.
"""

import os
import ssl
import uuid
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from threading import Thread
from typing import Any

from carecover import Carecover, verify_webhook

carecover = Carecover(os.environ["CARECOVER_URL"], os.environ["CARECOVER_KEY"], verify=ssl.create_default_context())


def instant(difference: timedelta) -> datetime:
    """Returns the current time plus the difference."""
    return datetime.now(timezone.utc) + difference


# A webhook receiver. It puts each verified event into a queue.
events: Queue[dict[str, Any]] = Queue()
signing_secret = ""


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        events.put(verify_webhook(body, dict(self.headers), signing_secret))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


receiver = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
Thread(target=receiver.serve_forever, daemon=True).start()
endpoint = carecover.webhook_endpoints.create(
    {"url": f"http://127.0.0.1:{receiver.server_port}/carecover", "events": ["claim.settled"]}
)
# Only the first response to the creation of an endpoint contains its signing secret. If that response was lost, the client repeats the
# request, and the second response has no secret. The program then creates a new secret.
signing_secret = endpoint.signing_secret or carecover.webhook_endpoints.rotate_secret(endpoint.id).signing_secret

# The coverage, as the payer states it.
member = f"member:{uuid.uuid4()}"
carecover.coverages.record(
    {
        "source_contract_reference": "contract/quick-start",
        "external_coverage_reference": f"coverage/{uuid.uuid4()}",
        "source_version": "1",
        "tenant_reference": "group/quick-start",
        "member_reference": member,
        "service_code": "psy.individual.50",
        "plan_name": "Outpatient",
        "status": "active",
        "currency": "KES",
        "amount_limit": 400_000,
        "remaining_sessions": 6,
        "authorization_required": True,
        "coordination_priority": 1,
        "valid_from": "2026-01-01T00:00:00Z",
        "valid_until": "2030-01-01T00:00:00Z",
        "observed_at": instant(timedelta(minutes=-1)),
        "evidence_references": ["registry/quick-start"],
    }
)

# Books a session that the coverage pays: the first free slot of a practitioner from tomorrow on.
practitioner = carecover.practitioners.list(limit=1).data[0]
slots = carecover.practitioners.slots(
    practitioner.id,
    from_=instant(timedelta(days=1)),
    to=instant(timedelta(days=14)),
    duration_minutes=50,
    format_="online",
)
slot = slots.data[0].to_dict()
booking = carecover.bookings.create(
    {name: slot[name] for name in ("practitioner_id", "starts_at", "ends_at", "format")} | {"payment_source": "covered"}
)

# The eligibility check and the pre-authorization.
check = carecover.eligibility_checks.create(
    {
        "member_reference": member,
        "service_code": "psy.individual.50",
        "scheduled_at": slot["starts_at"],
        "amount": 350_000,
        "currency": "KES",
    }
)
print(check.status, *check.reason_codes, check.remaining_sessions, "sessions remain")

request = carecover.preauthorizations.create({"eligibility_check_id": check.id, "booking_id": booking.id})
preauthorization = carecover.preauthorizations.decide(
    request.id,
    {
        "outcome": "approved",
        "approved_amount": 350_000,
        "valid_until": instant(timedelta(days=30)),
        "reason_codes": ["within_policy"],
        "policy_reference": "policy:outpatient",
        "policy_version": "2025.1",
        "evidence_references": ["referral:8812"],
    },
)
print("pre-authorization", preauthorization.status)

# The session is delivered (in the sandbox, at once), and a claim bills it.
assert booking.session_id is not None
carecover.test_helpers.deliver_session(booking.session_id)
claim = carecover.claims.submit(
    {
        "eligibility_check_id": check.id,
        "session_id": booking.session_id,
        "preauthorization_id": preauthorization.id,
        "provider_claim_reference": f"INV-{uuid.uuid4()}",
        "lines": [{"code_system": "CPT", "service_code": "psy.individual.50", "units": 1, "amount": 350_000}],
    }
)
print("claim", claim.id, claim.status)

# The payer adjudicates the claim and advises payment; the bank's statement proves the payment.
carecover.claims.adjudicate(
    claim.id,
    {
        "policy_reference": "policy:outpatient",
        "policy_version": "2025.1",
        "reason_codes": ["fee_schedule"],
        "lines": [
            {
                "line_number": 1,
                "amount": {
                    "billed": 350_000,
                    "allowed": 320_000,
                    "payer": 300_000,
                    "patient_responsibility": 20_000,
                    "adjustment": 30_000,
                },
                "reason_codes": ["fee_schedule"],
            }
        ],
    },
)
remittance = carecover.remittances.create(
    {
        "payer_reference": f"ERA-{uuid.uuid4()}",
        "currency": "KES",
        "received_at": instant(timedelta(minutes=-1)),
        "allocations": [{"claim_id": claim.id, "paid_amount": 300_000}],
    }
)
carecover.settlements.create(
    {
        "remittance_id": remittance.id,
        "source_reference": f"bank:{uuid.uuid4()}",
        "currency": "KES",
        "amount": 300_000,
        "observed_at": instant(timedelta(seconds=-1)),
    }
)

# Other programs can settle claims in this project too, so this program ignores the events of other claims.
while (event := events.get(timeout=30))["data"]["id"] != claim.id:
    pass
print("received", event["type"], event["data"]["amount"])

# Values the claim now, and at the time when its adjudication was recorded. The payer's advice had been received by then, but it was recorded
# later, so the earlier valuation does not contain it.
valued_now = carecover.claims.valuation(claim.id, valuation_at=datetime.now(timezone.utc))
decision = next(fact for fact in valued_now.events if fact.type_ == "partially_approved")
valued_before = carecover.claims.valuation(claim.id, valuation_at=decision.recorded_at)
for valuation in (valued_before, valued_now):
    amount = valuation.amount
    print("valued at", valuation.valuation_at.isoformat(), valuation.status, end=" ")
    print("remitted", amount.remitted, "settled", amount.settled, "outstanding", amount.outstanding)
carecover.webhook_endpoints.disable(endpoint.id)
receiver.shutdown()
