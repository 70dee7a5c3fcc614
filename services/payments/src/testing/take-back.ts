/** Executes a takeback in tests as a person does: reads the plan, and confirms it. */
import type { Sql } from '@carecover/postgres';
import type { ImportAuthor } from '../use-cases/record-entry';
import { readTakebackPlan, type TakenBack, takeBackCredit } from '../use-cases/take-back-credit';

export async function takeBackAsPlanned(
  sql: Sql,
  author: ImportAuthor,
  row: number,
): Promise<TakenBack | null> {
  const plan = await readTakebackPlan(sql, author.tenant, row);
  const expected = plan?.settlements.map(({ id }) => id) ?? [];
  return takeBackCredit(sql, author, row, expected);
}
