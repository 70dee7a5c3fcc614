/**
 * The changes of a pre-authorization: each writes one fact, the new row and, except for a claim's use and release, one event, in the
 * transaction that holds the row's lock.
 */
import { type PreauthorizationDecision, preauthorizationEventData } from '@carecover/contract';
import { appendEvent, assignments, insertedRows, jsonb, type Tx } from '@carecover/platform';
import { type PreauthorizationRow, preauthorizationResource } from './preauthorizations';
import { releaseSession } from './reservations';

/** The authority of an expiry at the deadline. */
export const SERVICE_AUTHORITY = 'service:benefits';

interface FactContext {
  readonly at: Date;
  readonly authority: string;
}

type Change = Partial<
  Pick<
    PreauthorizationRow,
    'status' | 'deciding_command_id' | 'approved_amount' | 'valid_until' | 'decision' | 'used_by_claim_id'
  >
>;

interface Fact {
  readonly type: 'requested' | 'approved' | 'denied' | 'expired' | 'cancelled' | 'used' | 'released';
  readonly reasonCode?: string;
  readonly claimId?: string;
}

/** Inserts a pending pre-authorization. */
export async function openPreauthorization(
  tx: Tx,
  values: Omit<
    PreauthorizationRow,
    | 'status'
    | 'version'
    | 'deciding_command_id'
    | 'approved_amount'
    | 'valid_until'
    | 'decision'
    | 'used_by_claim_id'
  >,
  authority: string,
): Promise<PreauthorizationRow> {
  const [row] = await tx<PreauthorizationRow[]>`
    insert into preauthorizations ${insertedRows({ ...values, status: 'pending', updated_at: values.created_at })} returning *`;
  if (row === undefined) throw new Error('a pre-authorization was not inserted');
  await appendFact(tx, row, { type: 'requested' }, { at: values.created_at, authority });
  return row;
}

/** Records an approval; its session is already reserved. */
export function approvePreauthorization(
  tx: Tx,
  row: PreauthorizationRow,
  decision: PreauthorizationDecision,
  terms: { readonly approvedAmount: number; readonly validUntil: Date },
  context: FactContext,
): Promise<PreauthorizationRow> {
  const { approvedAmount: approved_amount, validUntil: valid_until } = terms;
  const change: Change = {
    status: 'approved',
    deciding_command_id: null,
    approved_amount,
    valid_until,
    decision,
  };
  return applyChange(tx, row, change, { type: 'approved' }, context);
}

/** Records a denial; no session is reserved. */
export function denyPreauthorization(
  tx: Tx,
  row: PreauthorizationRow,
  decision: PreauthorizationDecision,
  context: FactContext,
): Promise<PreauthorizationRow> {
  const change: Change = { status: 'denied', deciding_command_id: null, decision };
  return applyChange(tx, row, change, { type: 'denied' }, context);
}

/** Expires a pre-authorization and releases its session. */
export async function expirePreauthorization(
  tx: Tx,
  row: PreauthorizationRow,
  context: FactContext,
): Promise<PreauthorizationRow> {
  await releaseSession(tx, row.project_id, row.id);
  const change: Change = { status: 'expired', deciding_command_id: null };
  return applyChange(tx, row, change, { type: 'expired' }, context);
}

/** Cancels a pre-authorization and releases its session. */
export async function cancelPreauthorization(
  tx: Tx,
  row: PreauthorizationRow,
  reasonCode: string,
  context: FactContext,
): Promise<PreauthorizationRow> {
  await releaseSession(tx, row.project_id, row.id);
  const change: Change = { status: 'cancelled', deciding_command_id: null };
  return applyChange(tx, row, change, { type: 'cancelled', reasonCode }, context);
}

/** Marks a pre-authorization as used by a claim. Until its release it can't expire or be cancelled. */
export function markUsed(
  tx: Tx,
  row: PreauthorizationRow,
  claimId: string,
  context: FactContext,
): Promise<PreauthorizationRow> {
  return applyChange(tx, row, { used_by_claim_id: claimId }, { type: 'used', claimId }, context);
}

/** Marks a pre-authorization as no longer used by the claim. */
export function markReleased(
  tx: Tx,
  row: PreauthorizationRow,
  claimId: string,
  context: FactContext,
): Promise<PreauthorizationRow> {
  return applyChange(tx, row, { used_by_claim_id: null }, { type: 'released', claimId }, context);
}

async function applyChange(
  tx: Tx,
  before: PreauthorizationRow,
  change: Change,
  fact: Fact,
  context: FactContext,
): Promise<PreauthorizationRow> {
  const { decision, ...plain } = change;
  const [row] = await tx<PreauthorizationRow[]>`
    update preauthorizations set ${assignments({
      ...plain,
      ...(decision ? { decision: jsonb({ ...decision }) } : {}),
      version: before.version + 1,
      updated_at: context.at,
    })}
    where id = ${before.id} and project_id = ${before.project_id} and version = ${before.version}
    returning *`;
  if (row === undefined) throw new Error('a pre-authorization was changed without its lock');
  await appendFact(tx, row, fact, context);
  return row;
}

/** Appends the fact and its event; a claim's use and release have no event. */
async function appendFact(
  tx: Tx,
  row: PreauthorizationRow,
  fact: Fact,
  { at, authority }: FactContext,
): Promise<void> {
  const { type, reasonCode = null, claimId = null } = fact;
  const isDecision = type === 'approved' || type === 'denied';
  await tx`
    insert into preauthorization_facts
      (preauthorization_id, version, project_id, type, authority, reason_code, claim_id, decision, recorded_at)
    values (${row.id}, ${row.version}, ${row.project_id}, ${type}, ${authority}, ${reasonCode}, ${claimId},
            ${isDecision && row.decision ? jsonb({ ...row.decision }) : null}, ${at})`;
  if (type === 'used' || type === 'released') return;
  await appendEvent(tx, {
    tenant: row.project_id,
    environment: row.environment,
    type: `preauthorization.${type}`,
    resourceId: row.id,
    resourceVersion: row.version,
    createdAt: at,
    data: preauthorizationEventData(preauthorizationResource(row)),
  });
}
