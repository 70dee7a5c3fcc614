// Fields that several request bodies share.
import Type from 'typebox';
import { identifier } from '../identifiers';
import { items, text } from '../schema';

/** What references of payers look like: contracts, coverages, members, artifacts. */
const PAYER_REFERENCE = '^[A-Za-z0-9][A-Za-z0-9:._/-]*$';

/** What references to evidence look like. */
const EVIDENCE_REFERENCE = '^[A-Za-z][A-Za-z0-9:_-]+$';

export function payerReference(description: string, max = 220) {
  return text(1, max, description, { pattern: PAYER_REFERENCE });
}

/** A member as the payer names them. It is stored in one place and never shown. */
export function memberReference() {
  return text(1, 220, "The payer's reference of the member. Never shown in any answer.", {
    pattern: '^[A-Za-z0-9:._/-]+$',
  });
}

export function evidenceReference() {
  return text(3, 300, 'A reference to evidence.', { pattern: EVIDENCE_REFERENCE });
}

/** Evidence of a claim: at most 32 references, of at most 200 characters. */
export function claimEvidence(min: number) {
  const reference = text(3, 200, 'A reference to evidence.', { pattern: EVIDENCE_REFERENCE });
  return items(reference, min, 32, 'References to evidence.');
}

/** A reason code of a request or a decision on a pre-authorization, a cancellation or a reversal. */
export function reasonCode(description = 'A reason code.') {
  return Type.String({ pattern: '^[a-z0-9_]{2,80}$', description });
}

/** A reason code of an adjudication or a remittance. */
export function paymentReasonCode() {
  return Type.String({ pattern: '^[a-z0-9_]{1,200}$', description: 'A reason code.' });
}

export const bookingId = () => identifier('booking', 'The booking.');
export const claimId = () => identifier('claim', 'The claim.');
export const eligibilityCheckId = () => identifier('eligibilityCheck', 'The eligibility check.');
