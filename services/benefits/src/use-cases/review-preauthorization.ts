/** How a pre-authorization's workflow reads the facts: it expires the pre-authorization if its deadline has passed, and learns what it awaits. */
import { interruptedCommandsOf } from '@carecover/commands';
import { isSimulated, type Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import type { PreauthorizationReport } from '@carecover/workflow-preauthorization';
import { deadlineOf } from '../rules/preauthorization-expiry';
import { type LockedPreauthorization, lockPreauthorization, stateOf } from '../store/preauthorizations';
import { expireLockedIfDue } from './expire-overdue';

/**
 * Expires a pre-authorization if its deadline has passed, and reads its state with the commands that its workflow must finish; null if there
 * is no such pre-authorization.
 */
export async function reviewPreauthorization(
  sql: Sql,
  tenant: Tenant,
  id: string,
): Promise<PreauthorizationReport | null> {
  const state = await sql.begin(async (tx) => {
    const row = await lockPreauthorization(tx, tenant, id);
    return row && stateAfter(await expireLockedIfDue(tx, row));
  });
  return state && { ...state, interrupted: await interruptedCommandsOf(sql, tenant, id) };
}

function stateAfter(row: LockedPreauthorization): Omit<PreauthorizationReport, 'interrupted'> {
  const deadline = deadlineOf(stateOf(row));
  // No timer waits for the deadline of a simulated project: an advance of its clock applies it.
  const isTimed = deadline !== null && !isSimulated(row.project_id);
  const dueInMs = isTimed ? Math.max(0, deadline.getTime() - row.locked_at.getTime()) : null;
  const due = deadline?.toISOString() ?? null;
  const awaits = awaitedBy(row);
  return { status: row.status, deadline: due, dueInMs, awaits, words: wordsOf(row, awaits, due) };
}

/** Returns what a pre-authorization awaits; null if it awaits nothing. */
function awaitedBy({ status, is_being_approved, used_by_claim_id }: LockedPreauthorization): string | null {
  if (status === 'pending') return is_being_approved ? 'the end of its approval' : "the payer's decision";
  return status === 'approved' && used_by_claim_id === null ? 'its use by a claim' : null;
}

/** Returns the text for operators. It contains no data about the member or the care. */
function wordsOf(row: LockedPreauthorization, awaits: string | null, deadline: string | null): string {
  const until = deadline === null ? '' : `, until ${deadline}`;
  if (awaits !== null) return `**${row.status}**: waits for ${awaits}${until}`;
  return row.used_by_claim_id === null
    ? `**${row.status}**`
    : `**${row.status}**, used by ${row.used_by_claim_id}: nothing is due`;
}
