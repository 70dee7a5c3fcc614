/**
 * What happens to a pre-authorization: each step is one fact, the row that it leads to and, where others are to hear of
 * it, one event, in the transaction that holds the row's lock.
 */
import { type PreauthorizationDecision, preauthorizationEventData } from '@carecover/contract';
import { appendEvent, type Tx } from '@carecover/platform';
import { type PreauthorizationRow, preauthorizationResource } from './preauthorizations';
import { releaseSession } from './reservations';

/** Who lets it expire: the service itself, by the clock. */
export const BY_THE_CLOCK = 'service:benefits';

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

/** Opens one. */
export async function openPreauthorization(
  tx: Tx,
  opened: Omit<
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
    insert into preauthorizations ${tx({ ...opened, status: 'pending', updated_at: opened.created_at })} returning *`;
  if (row === undefined) throw new Error('a pre-authorization was not opened');
  await record(tx, row, { type: 'requested' }, { at: opened.created_at, authority });
  return row;
}

/** Records an approval, whose session is reserved. */
export function approve(
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
  return advance(tx, row, change, { type: 'approved' }, context);
}

/** Records a denial. Nothing was reserved. */
export function deny(
  tx: Tx,
  row: PreauthorizationRow,
  decision: PreauthorizationDecision,
  context: FactContext,
): Promise<PreauthorizationRow> {
  const change: Change = { status: 'denied', deciding_command_id: null, decision };
  return advance(tx, row, change, { type: 'denied' }, context);
}

/** Lets it expire and gives back what it reserved. */
export async function expire(
  tx: Tx,
  row: PreauthorizationRow,
  context: FactContext,
): Promise<PreauthorizationRow> {
  await releaseSession(tx, row.id);
  const change: Change = { status: 'expired', deciding_command_id: null };
  return advance(tx, row, change, { type: 'expired' }, context);
}

/** Cancels it and gives back what it reserved. */
export async function cancel(
  tx: Tx,
  row: PreauthorizationRow,
  reasonCode: string,
  context: FactContext,
): Promise<PreauthorizationRow> {
  await releaseSession(tx, row.id);
  const change: Change = { status: 'cancelled', deciding_command_id: null };
  return advance(tx, row, change, { type: 'cancelled', reasonCode }, context);
}

/** Marks it used by a claim: it neither expires nor can be cancelled meanwhile. */
export function use(
  tx: Tx,
  row: PreauthorizationRow,
  claimId: string,
  context: FactContext,
): Promise<PreauthorizationRow> {
  return advance(tx, row, { used_by_claim_id: claimId }, { type: 'used', claimId }, context);
}

/** Frees it from the claim that used it. */
export function free(
  tx: Tx,
  row: PreauthorizationRow,
  claimId: string,
  context: FactContext,
): Promise<PreauthorizationRow> {
  return advance(tx, row, { used_by_claim_id: null }, { type: 'released', claimId }, context);
}

async function advance(
  tx: Tx,
  before: PreauthorizationRow,
  change: Change,
  fact: Fact,
  context: FactContext,
): Promise<PreauthorizationRow> {
  const { decision, ...plain } = change;
  const [row] = await tx<PreauthorizationRow[]>`
    update preauthorizations set ${tx({
      ...plain,
      ...(decision ? { decision: tx.json({ ...decision }) } : {}),
      version: before.version + 1,
      updated_at: context.at,
    })}
    where id = ${before.id} and version = ${before.version}
    returning *`;
  if (row === undefined) throw new Error('a pre-authorization was changed without its lock');
  await record(tx, row, fact, context);
  return row;
}

/** Appends the fact and tells of it; of a claim's use and of its end nobody is told. */
async function record(
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
            ${isDecision && row.decision ? tx.json({ ...row.decision }) : null}, ${at})`;
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
