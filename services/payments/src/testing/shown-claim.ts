/** Inserts claims and their adjudications into the schema of the claims service, for tests of the ledger's verification. */

import { newId } from '@carecover/domain';
import { insertedRows, jsonb, type Sql } from '@carecover/postgres';

export interface ShownAmounts {
  readonly approved: number | null;
  readonly remitted: number | null;
  readonly settled: number | null;
}

/** Inserts a claim with the given amounts. @param admin a connection that can write the schemas of claims and payments */
export async function showClaim(
  admin: Sql,
  tenant: string,
  id: string,
  amounts: ShownAmounts,
): Promise<void> {
  const now = new Date();
  await admin`insert into claims.claims ${insertedRows({
    id,
    project_id: tenant,
    environment: 'sandbox',
    provider_claim_reference: 'ref-1',
    provider_claim_reference_key: newId('ref-'),
    provider_claim_reference_search: 'REF-1',
    eligibility_check_id: 'elig_1',
    session_id: newId('ses_'),
    booking_id: 'bkg_1',
    practitioner_id: 'prc_1',
    payer_id: 'payer_1',
    plan: 'Outpatient',
    service_starts_at: now,
    service_ends_at: now,
    lines: '[]',
    currency: 'KES',
    billed: 130,
    status: 'partially_approved',
    submission_version: 1,
    adjudication_version: 1,
    decision: amounts.approved === null ? null : 'partially_approved',
    ...amounts,
    patient_responsibility: amounts.approved === null ? null : 0,
    adjustment: amounts.approved === null ? null : 0,
    last_sequence: 1,
    event_version: 1,
    last_recorded_at: now,
    last_effective_at: now,
    created_at: now,
    submitted_at: now,
  })}`;
}

/** Inserts the fact of a claim's adjudication, with the given sequence number. */
export async function showDecision(
  admin: Sql,
  claimId: string,
  sequence: number,
  { adjudicationId, decidedAt }: { readonly adjudicationId: string; readonly decidedAt: Date },
): Promise<void> {
  const status = 'partially_approved';
  await admin`
    insert into claims.facts (claim_id, sequence, type, cause, authority_digest, effective_at, recorded_at, previous_status, next_status,
      evidence_references, detail)
    values (${claimId}, ${sequence}, ${status}, ${newId('cmd_')}, gen_random_uuid(), ${decidedAt}, platform.now(),
      ${sequence === 1 ? null : status}, ${status}, '[]', ${jsonb({ adjudication_id: adjudicationId })})`;
}
