/** Compares remittances and settlements with their postings, and enqueues notifications to the claims service again. */
import type { Db, Fragment, Tx } from '@carecover/postgres';
import type { RemittanceRow } from '../../store/remittances';
import type { SettlementRow } from '../../store/settlements';
import type { Difference } from '../difference';
import { isSelected, type Selection } from './selection';

/**
 * Checks that each allocation and each recovery of the remittances is posted, and that a remittance's total is the sum of its allocations. The
 * opposite fault, a posting whose remittance has no allocation for the claim, is found by the verification of the claim.
 */
export async function adviceDifferences(tx: Tx, remittances: Selection): Promise<Difference[]> {
  const rows = await tx<{ subject: string; claim_id: string; allocated: number; posted: number }[]>`
    select allocation.remittance_id as subject, allocation.claim_id, paid_amount as allocated, coalesce(posting.amount, 0) as posted
    from payments.remittance_allocations allocation
    left join payments.postings posting
      on posting.claim_id = allocation.claim_id and posting.cause = allocation.remittance_id
      and posting.source = 'payer_liability' and posting.destination = 'remitted'
    where ${isSelected(tx, 'allocation.remittance_id', remittances)} and paid_amount <> coalesce(posting.amount, 0)
    order by subject, claim_id`;
  const recovered = await tx<{ subject: string; claim_id: string; amount: number; posted: number }[]>`
    select recovery.id as subject, recovery.claim_id, recovery.amount, coalesce(posting.amount, 0) as posted
    from payments.remittance_recoveries recovery
    left join payments.postings posting
      on posting.claim_id = recovery.claim_id and posting.cause = recovery.id
      and posting.source = 'remitted' and posting.destination in ('payer_liability', 'charges')
    where ${isSelected(tx, 'recovery.remittance_id', remittances)} and recovery.amount <> coalesce(posting.amount, 0)
    order by subject`;
  const withdrawn = await tx<{ subject: string; claim_id: string; amount: number; posted: number }[]>`
    with line as (
      select remittance_id, remittance_id as id, claim_id, paid_amount as amount, 'remitted'::payments.account as undone
      from payments.remittance_allocations where ${isSelected(tx, 'remittance_id', remittances)}
      union all
      select remittance_id, id, claim_id, amount, null from payments.remittance_recoveries
      where ${isSelected(tx, 'remittance_id', remittances)}
    ), compared as (
      select line.id as subject, line.claim_id,
        case when exists (select from payments.remittance_withdrawals where remittance_id = line.remittance_id) then line.amount else 0 end as amount,
        coalesce((
          select sum(posting.amount) from payments.postings posting
          where posting.claim_id = line.claim_id and posting.cause = line.remittance_id || ':withdrawal'
            and case when line.undone is null then posting.destination else posting.source end = 'remitted'), 0)::bigint as posted
      from line
    )
    select * from compared where amount <> posted order by subject, claim_id`;
  const totals = await tx<{ id: string; total: number; sum: string }[]>`
    select id, total, coalesce(sum(paid_amount), 0)::text as sum
    from payments.remittances left join payments.remittance_allocations on remittance_id = id
    where ${isSelected(tx, 'id', remittances)}
    group by id having total <> coalesce(sum(paid_amount), 0) order by id`;
  return [
    ...rows.map(({ subject, claim_id, allocated, posted }) => ({
      subject,
      says: `allocates ${allocated} to ${claim_id}, but ${posted} is posted`,
    })),
    ...recovered.map(({ subject, claim_id, amount, posted }) => ({
      subject,
      says: `takes back ${amount} of ${claim_id}, but ${posted} is posted`,
    })),
    ...withdrawn.map(({ subject, claim_id, amount, posted }) => ({
      subject,
      says: `withdraws ${amount} of ${claim_id}, but ${posted} is posted`,
    })),
    ...totals.map(({ id, total, sum }) => ({ subject: id, says: `totals ${total}, but allocates ${sum}` })),
  ];
}

/**
 * Checks that the postings of each settlement of the remittances sum to the settlement's allocations less its recoveries if the settlement is
 * matched, and otherwise to zero. Also checks that the settled amount of each allocation and recovery of the remittances is the sum that matched settlements have of it.
 */
export async function settlementDifferences(tx: Tx, remittances: Selection): Promise<Difference[]> {
  const isOfSelected = isSelected(tx, 'remittance_id', remittances);
  const matched = tx`
    matched as materialized (
      select settlements.id, remittance_id, kind, part.claim_id, part.amount
      from payments.settlements, lateral (
        select 'allocation' as kind, * from jsonb_to_recordset(allocations) as part (claim_id text, amount bigint)
        union all
        select 'recovery', * from jsonb_to_recordset(recoveries) as part (claim_id text, amount bigint)
      ) part
      where status = 'matched' and ${isOfSelected}
    )`;
  const rows = await tx<{ subject: string; claim_id: string; shown: string; posted: string }[]>`
    with ${matched}, possible as (
      select settlements.id, claim_id from payments.settlements join payments.remittance_claims using (remittance_id)
      where ${isOfSelected}
      union
      select id, claim_id from matched
    ), sums as (
      select possible.id as subject, possible.claim_id,
        coalesce((select sum(case kind when 'allocation' then amount else -amount end) from matched where matched.id = possible.id and matched.claim_id = possible.claim_id), 0) as shown,
        coalesce((
          select sum(case when source = 'remitted' then amount else -amount end) from payments.postings posting
          where posting.claim_id = possible.claim_id and cause in (possible.id, possible.id || ':reversal')
            and (source, destination) in (('remitted', 'cash_observed'), ('cash_observed', 'remitted'))), 0) as posted
      from possible
    )
    select subject, claim_id, shown::text, posted::text from sums where shown <> posted order by subject, claim_id`;
  const settled = await tx<{ remittance_id: string; claim_id: string; settled: number; sum: string }[]>`
    with ${matched}, lines as (
      select 'allocation' as kind, remittance_id, claim_id, settled from payments.remittance_allocations
      where ${isOfSelected}
      union all
      select 'recovery', remittance_id, claim_id, settled from payments.remittance_recoveries where ${isOfSelected}
    ), expected as (
      select line.remittance_id, line.claim_id, line.settled,
        coalesce((select sum(amount) from matched where matched.kind = line.kind and matched.remittance_id = line.remittance_id
            and matched.claim_id = line.claim_id), 0) as sum
      from lines line
    )
    select remittance_id, claim_id, settled, sum::text as sum from expected where settled <> sum order by 1, 2`;
  return [
    ...rows.map(({ subject, claim_id, shown, posted }) => ({
      subject,
      says: `settles ${shown} of ${claim_id}, but ${posted} is posted`,
    })),
    ...settled.map(({ remittance_id, claim_id, settled: kept, sum }) => ({
      subject: remittance_id,
      says: `keeps ${kept} of ${claim_id} as settled, but its observations settle ${sum}`,
    })),
  ];
}

/** A remittance with the sum of the settlements that reconcile it. */
export type VerifiedRemittance = RemittanceRow & {
  readonly expected: number;
  readonly is_withdrawn: boolean;
  /** The time of the clock of a simulated project; null for a project with real time. */
  readonly clock: Date | null;
  /** The instant until which advances of the clock have executed all deadlines; null if none has. */
  readonly advanced_to: Date | null;
  /** The target of an advance that is in progress or has failed; null if there is none. */
  readonly target: Date | null;
};

/** SQL of the advances of clocks. @param hasClocks false if the database has no schema of the gateway, as in tests */
const advances = (tx: Tx, hasClocks: boolean): Fragment =>
  hasClocks
    ? tx`select project_id, advanced_to, target from gateway.test_clocks`
    : tx`select null as project_id, null::timestamptz as advanced_to, null::timestamptz as target`;

/** Reads the selected remittances of all projects, with their unreversed settlements. */
export async function readRemittances(
  tx: Tx,
  selection: Selection,
): Promise<{ remittances: VerifiedRemittance[]; settlements: SettlementRow[] }> {
  const [found] = await tx<
    { name: string | null }[]
  >`select to_regclass('gateway.test_clocks')::text as name`;
  const remittances = await tx<VerifiedRemittance[]>`
    select remittances.*, exists (select from payments.remittance_withdrawals where remittance_id = id) as is_withdrawn,
      case when exists (select from payments.netted_advices where remittance_id = id) then 0 else net end as expected,
      clock.now as clock, advanced_to, target
    from payments.remittances
    left join platform.project_clocks clock using (project_id)
    left join (${advances(tx, found?.name != null)}) advances using (project_id)
    where ${isSelected(tx, 'id', selection)} order by id`;
  const settlements = await tx<SettlementRow[]>`
    select * from payments.settlements
    where ${isSelected(tx, 'remittance_id', selection)} and status <> 'reversed' order by position`;
  return { remittances: [...remittances], settlements: [...settlements] };
}

/**
 * Marks all notifications about the remittances of the given claims as pending, so that the sweep sends them again. The claims service
 * ignores those that it has recorded. Because a notification waits for the previous one of each of its claims, the function includes
 * remittances that share a claim with these remittances, directly or through other remittances.
 *
 * @param db a connection of an operator
 * @returns the number of remittances whose notifications are sent again
 */
export async function resendToClaims(db: Db, claimIds: readonly string[]): Promise<number> {
  const rows = await db`
    with recursive connected as (
      select remittance_id from payments.remittance_claims where claim_id = any(${[...claimIds]})
      union
      select other.remittance_id
      from connected
      join payments.remittance_claims own on own.remittance_id = connected.remittance_id
      join payments.remittance_claims other on other.claim_id = own.claim_id
    )
    update payments.claims_notifications set recorded_at = null
    where remittance_id in (select remittance_id from connected)
    returning remittance_id`;
  return new Set(rows.map(({ remittance_id }) => remittance_id)).size;
}
