/** Compares each posting with the account row of its claim and with the adjudication, remittance, settlement or reversal that caused it. */
import type { Tx } from '@carecover/postgres';
import type { Difference } from '../difference';
import { isSelected, type Selection } from './selection';

/** Two commit times that differ by less than this are not reported, because the clock can be set back between two commits. */
const CLOCK_SET_BY = '5 minutes';

interface WrongPosting {
  readonly id: number;
  readonly claim_id: string;
  readonly project_id: string;
  readonly currency: string;
  readonly cause: string;
  readonly effective_at: Date;
  readonly recorded_at: Date;
  readonly owner: string | null;
  readonly kept_currency: string | null;
  readonly is_caused: boolean;
  /** When the cause of the posting took effect; null if no row contains this time. */
  readonly due: Date | null;
  /** Whether the posting's recorded_at agrees with that of its cause; null if no row contains the recorded_at of the cause. */
  readonly in_time: boolean | null;
}

/**
 * Finds postings of selected claims that disagree with the account row of their claim or with their cause.
 *
 * @param hasClaims whether the database has the schema of the claims service, in which the facts of replaced adjudications are
 */
export async function postingDifferences(
  tx: Tx,
  claims: Selection,
  hasClaims: boolean,
): Promise<Difference[]> {
  const isClaimSelected = isSelected(tx, 'claim_id', claims);
  const adjudications = hasClaims
    ? tx`select claim_id, detail ->> 'adjudication_id' as cause, effective_at as due,
           effective_at - ${CLOCK_SET_BY}::interval as earliest, recorded_at + ${CLOCK_SET_BY}::interval as latest
         from claims.facts where detail ? 'adjudication_id' and ${isClaimSelected} union all`
    : tx``;
  const rows = await tx<WrongPosting[]>`
    with facts as (
      ${adjudications}
      select claim_id, adjudication_id as cause, null::timestamptz as due, null::timestamptz as earliest, null::timestamptz as latest
      from payments.claim_accounts where ${isClaimSelected}
      union all
      select claim_id, claim_id || ':reversal', reversed_at, reversed_at, reversed_at
      from payments.claim_accounts where reversed_at is not null and ${isClaimSelected}
      union all
      select claim_id, id, received_at, created_at, created_at
      from payments.remittances join payments.remittance_allocations on remittance_id = id
      where ${isClaimSelected}
      union all
      select claim_id, recovery.id, received_at, created_at, created_at
      from payments.remittances join payments.remittance_recoveries recovery on remittance_id = remittances.id
      where ${isClaimSelected}
      union all
      select claim_id, remittance_id || ':withdrawal', withdrawn_at, withdrawn_at, withdrawn_at
      from payments.remittance_withdrawals join payments.remittance_claims using (remittance_id)
      where ${isClaimSelected}
      union all
      select claim_id, id, observed_at, null, null
      from payments.settlements join payments.remittance_claims using (remittance_id)
      where ${isClaimSelected}
      union all
      select claim_id, settlement_id || ':reversal', reversed_at, reversed_at, reversed_at
      from payments.settlement_reversals join payments.settlements on settlements.id = settlement_id
      join payments.remittance_claims using (remittance_id)
      where ${isClaimSelected}
    ), causes as (
      select claim_id, cause, max(due) as due, max(earliest) as earliest, max(latest) as latest
      from facts group by claim_id, cause
    ), paying as (
      select distinct remittance_id from payments.remittance_claims where ${isClaimSelected}
    ), changes as (
      select remittance_id, created_at as at from payments.settlements join paying using (remittance_id)
      union
      select remittance_id, reversed_at from payments.settlement_reversals
      join payments.settlements on settlements.id = settlement_id join paying using (remittance_id)
    ), evaluated as (
      select posting.*, account.project_id as owner, account.currency as kept_currency,
        known.cause is not null as is_caused, known.due,
        -- A settlement is matched when it is recorded, or when another settlement of its remittance is recorded or reversed.
        case when observed.id is null then posting.recorded_at between known.earliest and known.latest
          else changes.at is not null and changes.at >= observed.created_at - ${CLOCK_SET_BY}::interval end as in_time
      from payments.postings posting
      left join payments.claim_accounts account on account.claim_id = posting.claim_id
      left join causes known on known.claim_id = posting.claim_id and known.cause = posting.cause
      left join payments.settlements observed on observed.id = posting.cause
      left join changes on changes.remittance_id = observed.remittance_id and changes.at = posting.recorded_at
      where ${isSelected(tx, 'posting.claim_id', claims)}
    )
    select id, claim_id, project_id, currency, cause, effective_at, recorded_at, owner, kept_currency, is_caused, due, in_time
    from evaluated
    where project_id is distinct from owner or currency is distinct from kept_currency
      or not is_caused and (${hasClaims} or 'charges' not in (source, destination))
      or effective_at <> due or not in_time
    order by id`;
  return [...rows.flatMap(differencesOf), ...(await timeDifferences(tx, claims))];
}

function differencesOf(posting: WrongPosting): Difference[] {
  const { id, claim_id, project_id, currency, cause, effective_at, recorded_at } = posting;
  const { owner, kept_currency, is_caused, due, in_time } = posting;
  const says: string[] = [];
  if (project_id !== owner || currency !== kept_currency)
    says.push(`is ${project_id}'s in ${currency}, but the account is ${owner}'s in ${kept_currency}`);
  if (!is_caused) says.push(`has the cause ${cause}, which is nothing of this claim`);
  if (due !== null && effective_at.getTime() !== due.getTime())
    says.push(`is effective at ${effective_at.toISOString()}, but ${cause} at ${due.toISOString()}`);
  if (in_time === false)
    says.push(`is recorded at ${recorded_at.toISOString()}, but nothing of ${cause} was then`);
  return says.map((text) => ({ subject: claim_id, says: `posting ${id} ${text}` }));
}

/** Checks that all postings with the same claim and cause have the same effective_at and recorded_at. */
async function timeDifferences(tx: Tx, claims: Selection): Promise<Difference[]> {
  const rows = await tx<{ claim_id: string; cause: string }[]>`
    select claim_id, cause from payments.postings where ${isSelected(tx, 'claim_id', claims)} group by claim_id, cause
    having min(effective_at) <> max(effective_at) or min(recorded_at) <> max(recorded_at)
    order by claim_id, cause`;
  return rows.map(({ claim_id, cause }) => ({
    subject: claim_id,
    says: `the postings of ${cause} are of several times`,
  }));
}
