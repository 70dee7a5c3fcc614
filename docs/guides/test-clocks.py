"""A year in a minute: two bookings in a project whose time is simulated, and what became of them.

The story is the same on every run, so it is compared with a golden file. CARECOVER_URL (ending in /v1) and CARECOVER_KEY (sk_test_…) name the
service; docs/guides/test-clocks.md explains the steps.
"""

import os
import ssl
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

from carecover import Carecover

GOLDEN = Path(__file__).with_name("test-clocks.golden.txt")
base_url, api_key = os.environ["CARECOVER_URL"], os.environ["CARECOVER_KEY"]
trusted = ssl.create_default_context()

with Carecover(base_url, api_key, verify=trusted) as sandbox:
    created = sandbox.test_clocks.create({"name": "A year", "now": "2025-01-01T00:00:00Z"})
carecover = Carecover(base_url, created.secret_key, verify=trusted)

story = ["A year of two bookings"]


def text_of(at: datetime) -> str:
    """Returns an instant as the API writes it."""
    return at.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def advance(to: str) -> None:
    clock = carecover.test_clock.advance_and_wait(to)
    story.append(f"{text_of(clock.now)} the clock has executed {clock.completed}")


# A coverage, and the first two free slots of a practitioner.
carecover.coverages.record(
    {
        "source_contract_reference": "contract/year",
        "external_coverage_reference": "coverage/year",
        "source_version": "1",
        "tenant_reference": "group/year",
        "member_reference": "member:year",
        "service_code": "psy.individual.50",
        "plan_name": "Outpatient",
        "status": "active",
        "currency": "KES",
        "amount_limit": 400_000,
        "remaining_sessions": 6,
        "authorization_required": True,
        "coordination_priority": 1,
        "valid_from": "2025-01-01T00:00:00Z",
        "valid_until": "2026-01-01T00:00:00Z",
        "observed_at": "2025-01-01T00:00:00Z",
        "evidence_references": ["registry/year"],
    }
)
[practitioner] = carecover.practitioners.list(limit=1).data
slots = carecover.practitioners.slots(
    practitioner.id,
    from_="2025-01-06T00:00:00Z",
    to="2025-01-20T00:00:00Z",
    duration_minutes=50,
    format_="online",
    limit=2,
)

# Each is booked, checked and approved, until the end of February.
approved: list[dict[str, str]] = []
for slot in slots.data:
    booking = carecover.bookings.create(
        {
            "practitioner_id": slot.practitioner_id,
            "starts_at": slot.starts_at,
            "ends_at": slot.ends_at,
            "format": slot.format_,
            "payment_source": "covered",
        }
    )
    check = carecover.eligibility_checks.create(
        {
            "member_reference": "member:year",
            "service_code": "psy.individual.50",
            "scheduled_at": slot.starts_at,
            "amount": 350_000,
            "currency": "KES",
        }
    )
    request = carecover.preauthorizations.create({"eligibility_check_id": check.id, "booking_id": booking.id})
    carecover.preauthorizations.decide(
        request.id,
        {
            "outcome": "approved",
            "approved_amount": 350_000,
            "valid_until": "2025-03-01T00:00:00Z",
            "reason_codes": ["within_policy"],
            "policy_reference": "policy:outpatient",
            "policy_version": "2025.1",
            "evidence_references": ["referral:8812"],
        },
    )
    approved.append(
        {
            "eligibility_check_id": check.id,
            "session_id": booking.session_id,
            "preauthorization_id": request.id,
        }
    )
claimed, unused = approved

# The sessions take place. One is claimed; the payer asks a question, which the provider does not answer. The authorization of the other one expires.
advance("2025-02-01T00:00:00Z")
claim = carecover.claims.submit(
    {
        **claimed,
        "provider_claim_reference": "INV-2025-0001",
        "lines": [{"code_system": "CPT", "service_code": "psy.individual.50", "units": 1, "amount": 350_000}],
    }
)
carecover.claims.request_information(
    claim.id,
    {
        "reason_code": "notes_missing",
        "requested_evidence_types": ["session_notes"],
        "due_at": "2025-03-10T00:00:00Z",
    },
)
advance("2025-03-15T00:00:00Z")
story.append(f"the unused pre-authorization is {carecover.preauthorizations.retrieve(unused['preauthorization_id']).status}")

# The payer decides, and advises a payment that does not arrive: after 31 days the remittance is an exception. It is settled late.
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
        "payer_reference": "ERA-2025-0001",
        "currency": "KES",
        "received_at": "2025-03-15T00:00:00Z",
        "allocations": [{"claim_id": claim.id, "paid_amount": 300_000}],
    }
)
advance("2025-04-15T00:00:00Z")
story.append(f"the remittance is in {carecover.remittances.retrieve(remittance.id).status}")
advance("2025-06-20T00:00:00Z")
carecover.settlements.create(
    {
        "remittance_id": remittance.id,
        "source_reference": "bank:0001",
        "currency": "KES",
        "amount": 300_000,
        "observed_at": "2025-06-18T00:00:00Z",
    }
)

# The year ends. The claim is valued at the end of every month, and once more with all its facts.
advance("2026-01-01T00:00:00Z")
for month in range(2, 13):
    start_of_next = datetime(2025 + month // 12, month % 12 + 1, 1, tzinfo=timezone.utc)
    valued = carecover.claims.valuation(claim.id, valuation_at=start_of_next - timedelta(milliseconds=1))
    amount = valued.amount
    outstanding = "not decided" if amount.outstanding is None else amount.outstanding
    story.append(
        f"{text_of(valued.valuation_at)} {valued.status}: "
        f"remitted {amount.remitted}, settled {amount.settled}, outstanding {outstanding}"
    )
for event in carecover.claims.valuation(claim.id, valuation_at="2026-01-01T00:00:00Z").events:
    reason = "" if event.reason_code is None else f", {event.reason_code}"
    story.append(f"{text_of(event.effective_at)} {event.type_}, recorded {text_of(event.recorded_at)}{reason}")

carecover.close()
text = "\n".join(story) + "\n"
is_same = GOLDEN.read_text() == text
print(text + ("the same as the golden file" if is_same else "another story than that of the golden file"))
sys.exit(0 if is_same else 1)
