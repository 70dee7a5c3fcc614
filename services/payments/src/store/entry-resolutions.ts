/** SQL of what persons decide about bank entries: that one is expected until a date, or is not ours, and that this is undone. */
import type { Tenant } from '@carecover/domain';
import type { Tx } from '@carecover/postgres';

/** A decision about an entry. */
export type EntryDecision =
  | { readonly kind: 'expected'; readonly until: Date; readonly reason: string }
  | { readonly kind: 'not_ours' | 'reopened'; readonly reason: string };

/**
 * Records a decision about a credit or takeback of a project of which a part is open, and who made it.
 *
 * @returns whether there is such an entry: to be reopened, one that is expected or not ours; otherwise one that is not the same already
 */
export async function storeDecision(
  tx: Tx,
  tenant: Tenant,
  row: number,
  decision: EntryDecision,
  authority: string,
): Promise<boolean> {
  const until = decision.kind === 'expected' ? decision.until : null;
  const isNotOurs = decision.kind === 'not_ours';
  const isDecided =
    decision.kind === 'not_ours'
      ? tx`dismissed_at is null`
      : decision.kind === 'expected'
        ? tx`true`
        : tx`(dismissed_at is not null or expected_until is not null)`;
  const changed = await tx`
    update bank_entries set expected_until = ${until}, dismissed_at = case when ${isNotOurs} then platform.now() end
    where project_id = ${tenant} and id = ${row} and type in ('credit', 'takeback') and returned_entry_id is null
      and recorded + returned < amount and ${isDecided} returning id`;
  if (changed.length === 0) return false;
  await tx`
    insert into bank_entry_resolutions (project_id, entry_id, kind, reason, expected_until, authority)
    values (${tenant}, ${row}, ${decision.kind}, ${decision.reason}, ${until}, ${authority})`;
  return true;
}
