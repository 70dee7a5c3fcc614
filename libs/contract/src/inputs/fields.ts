// Fields that several request bodies share.

import { Type } from 'typebox';
import { identifier } from '../identifiers';
import { boundedArray, boundedString } from '../schema';

/** The pattern of references that a payer assigns to contracts, coverages, members and files. */
const PAYER_REFERENCE = '^[A-Za-z0-9][A-Za-z0-9:._/-]*$';

/** The pattern of references to evidence. */
const EVIDENCE_REFERENCE = '^[A-Za-z][A-Za-z0-9:_-]+$';

/** Creates the schema of a reference that the payer assigns. */
export function payerReference(description: string, max = 220) {
  return boundedString(1, max, description, { pattern: PAYER_REFERENCE });
}

/** Creates the schema of the payer's reference of a member. No response contains such a reference. */
export function memberReference() {
  return boundedString(1, 220, "The payer's reference of the member. No response contains it.", {
    pattern: '^[A-Za-z0-9:._/-]+$',
  });
}

/** Creates the schema of a reference to evidence of a pre-authorization decision. */
export function evidenceReference() {
  return boundedString(3, 300, 'A reference to evidence.', { pattern: EVIDENCE_REFERENCE });
}

/** Creates the schema of a claim's evidence: at most 32 references of at most 200 characters. */
export function claimEvidence(min: number) {
  const reference = boundedString(3, 200, 'A reference to evidence.', { pattern: EVIDENCE_REFERENCE });
  return boundedArray(reference, min, 32, 'References to evidence.');
}

/** Creates the schema of a reason code of an information request, pre-authorization decision, cancellation or reversal. */
export function reasonCode(description = 'A reason code.') {
  return Type.String({ pattern: '^[a-z0-9_]{2,80}$', description });
}

/** Creates the schema of a reason code of an adjudication or a remittance. */
export function paymentReasonCode() {
  return Type.String({ pattern: '^[a-z0-9_]{1,200}$', description: 'A reason code.' });
}

export const bookingId = () => identifier('booking', 'The booking.');
export const claimId = () => identifier('claim', 'The claim.');
export const eligibilityCheckId = () => identifier('eligibilityCheck', 'The eligibility check.');
