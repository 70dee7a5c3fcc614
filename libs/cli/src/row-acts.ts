/** The acts of an operator on rows of bank files. Each is in the audit log before it is executed. */
import { type DateReading, isAmount, readInstantText, type Settlement } from '@carecover/contract';
import type { Caller } from '@carecover/domain';
import { listProjects, OperatorError, readNow } from '@carecover/gateway';
import type { EntryDecision, ListedPart, OpenEntry } from '@carecover/payments';
import { InvalidArgumentError } from 'commander';
import { type CommandContext, withDatabase, withServiceDatabase } from './command-context';
import { asOperator, logChange, operatorCaller, operatorCallers } from './operator-calls';

/** How a project reads days. */
type ProjectDays = Pick<DateReading, 'locale' | 'timeZone'>;

/** Returns the language and the time zone of a project, to which local times of its bank accounts belong. */
export async function daysOfProject(context: CommandContext, project: string): Promise<ProjectDays> {
  const projects = await withDatabase(context, listProjects);
  const found = projects.find(({ id }) => id === project);
  return { locale: found?.locale ?? 'en', timeZone: found?.time_zone ?? 'UTC' };
}

/** Returns the API error for a row that does not wait, or not for this act. */
function noRow(row: number): OperatorError {
  return new OperatorError(`There is no unmatched row ${row}. "carecover settlements unmatched" lists them.`);
}

/** Returns the API error for a row that is no open takeback. */
function noTakeback(row: number): OperatorError {
  return new OperatorError(`There is no open takeback ${row}. "carecover settlements unmatched" lists them.`);
}

/** An open row with the operator as a caller of its project. */
interface FoundRow {
  readonly kept: OpenEntry & { readonly dismissed: boolean };
  readonly author: Caller;
}

/**
 * Finds an open row of the given project, or of any project.
 *
 * @param missingRow creates the error for a row that is not found
 * @throws OperatorError if no project, or not the given one, has an open row with this number; or if the project does not exist
 */
async function findRow(
  context: CommandContext,
  row: number,
  project: string | undefined,
  missingRow = noRow,
): Promise<FoundRow> {
  const { findOpenEntry } = await import('@carecover/payments');
  const callers = await operatorCallers(context, project);
  const tenant = callers.find((caller) => caller.tenant === project)?.tenant ?? null;
  const kept = await withServiceDatabase(context, 'payments', null, (sql) => findOpenEntry(sql, tenant, row));
  if (kept === undefined) throw missingRow(row);
  const author = callers.find((caller) => caller.tenant === kept.project_id);
  if (author === undefined) throw new OperatorError(`There is no project ${kept.project_id}.`);
  return { kept, author };
}

/** Returns the ID of the settlement that has recorded a part of a row of the project, if a list of acts is executed again; null if none has. */
export async function findAssignment(
  context: CommandContext,
  project: string,
  part: ListedPart,
): Promise<string | null> {
  const { findRecordedPart } = await import('@carecover/payments');
  const { tenant } = await operatorCaller(context, project);
  const settlement = await withServiceDatabase(context, 'payments', tenant, (sql) =>
    findRecordedPart(sql, tenant, part),
  );
  return settlement?.id ?? null;
}

/**
 * Assigns an unmatched row of a settlement file, or a part of it, to a remittance of the row's project.
 *
 * @param amount the part in minor units; undefined for all that is open
 * @param ordinal which of the equal parts of a list of acts this is, from 1; undefined if it is of no list
 * @returns the settlement, and what was open of the row before
 * @throws OperatorError if the row or the remittance does not exist
 */
export async function assignRow(
  context: CommandContext,
  row: number,
  remittanceId: string,
  amount: number | undefined,
  project?: string,
  ordinal?: number,
): Promise<{ readonly settlement: Settlement; readonly openBefore: number }> {
  const { assignUnmatchedRow } = await import('@carecover/payments');
  const { kept, author } = await findRow(context, row, project);
  const { file, line } = kept;
  await logChange(context, author.tenant, 'settlements.assign', remittanceId, {
    row,
    file,
    line,
    amount: amount ?? kept.open,
  });
  const settlement = await withServiceDatabase(context, 'payments', author.tenant, (sql) =>
    asOperator(() => assignUnmatchedRow({ sql, author }, row, remittanceId, amount ?? null, ordinal), {
      resource_not_found: `There is no remittance ${remittanceId} in ${kept.project_id}, the project of the row.`,
    }),
  );
  if (settlement === null) throw noRow(row);
  return { settlement, openBefore: kept.open };
}

const ACTIONS = {
  not_ours: 'settlements.dismiss',
  expected: 'settlements.expect',
  reopened: 'settlements.reopen',
} as const;

/** A decision about a row. `until` is a day or an instant as {@link readUntil} reads it for the project of the row. */
export type RowDecision =
  | { readonly kind: 'expected'; readonly until: string; readonly reason: string }
  | Exclude<EntryDecision, { readonly kind: 'expected' }>;

/**
 * Decides that an unmatched row is not ours or expected, or undoes it.
 *
 * @returns the kind of the decision
 * @throws OperatorError if there is no such row, if it is decided already, or if `until` is neither a day nor an instant
 */
export async function decideRow(
  context: CommandContext,
  row: number,
  given: RowDecision,
  project?: string,
): Promise<EntryDecision['kind']> {
  const { resolveEntry } = await import('@carecover/payments');
  const { kept, author } = await findRow(context, row, project);
  const { project_id, file, line } = kept;
  const decision =
    given.kind === 'expected'
      ? { ...given, until: await readUntil(context, project_id, given.until) }
      : given;
  const { kind, reason } = decision;
  if (kind === 'not_ours' && kept.dismissed) throw noRow(row);
  const until = decision.kind === 'expected' ? { until: decision.until.toISOString() } : {};
  await logChange(context, author.tenant, ACTIONS[kind], project_id, { row, file, line, reason, ...until });
  const isDecided = await withServiceDatabase(context, 'payments', author.tenant, (sql) =>
    asOperator(() => resolveEntry(sql, author, row, decision)),
  );
  if (!isDecided) throw noRow(row);
  return kind;
}

/**
 * Reverses settlements of the credit that the bank takes back with a row, until the amount is covered.
 *
 * @throws OperatorError if there is no such takeback, no imported credit has its references, or only a part was reversed
 */
export async function takeBackRow(context: CommandContext, row: number, project?: string): Promise<object[]> {
  const { readTakebackPlan, takeBackCredit } = await import('@carecover/payments');
  const { kept, author } = await findRow(context, row, project, noTakeback);
  if (kept.type !== 'takeback') throw noTakeback(row);
  const plan = await withServiceDatabase(context, 'payments', author.tenant, (sql) =>
    readTakebackPlan(sql, author.tenant, row),
  );
  if (plan === null) throw noTakeback(row);
  const { file, line } = kept;
  const settlements = plan.settlements.map(({ id }) => id);
  await logChange(context, author.tenant, 'settlements.take-back', kept.project_id, {
    row,
    file,
    line,
    settlements,
  });
  const taken = await withServiceDatabase(context, 'payments', author.tenant, (sql) =>
    asOperator(() => takeBackCredit(sql, author, row, settlements)),
  );
  if (taken === null) throw noRow(row);
  const { data, problem } = taken;
  if (problem !== null)
    throw new OperatorError(
      `Only ${data.map(({ id }) => id).join(', ')} of ${settlements.join(', ')} were reversed: ${problem} Execute the command again.`,
    );
  return [...data];
}

/** Parses the number of a row. @throws InvalidArgumentError */
export function parseRow(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected the number of a row.');
  return Number(text);
}

/** Parses an amount in minor units. @throws InvalidArgumentError */
export function parseRowAmount(text: string): number {
  const amount = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (!isAmount(amount) || amount === 0)
    throw new InvalidArgumentError('Expected an integer of minor units, at least 1.');
  return amount;
}

/** Checks the reason of a decision. @throws InvalidArgumentError */
export function parseReason(text: string): string {
  if (text.trim() === '' || text.length > 200)
    throw new InvalidArgumentError('Expected 1 to 200 characters.');
  return text;
}

/** Reads a day as people of the project type it, of which the last instant is taken, or an instant. @throws OperatorError if it is neither */
async function readUntil(context: CommandContext, project: string, text: string): Promise<Date> {
  const days = await daysOfProject(context, project);
  const now = await withDatabase(context, (sql) => readNow(sql, project));
  const read = readInstantText(text, { ...days, now: now.getTime(), edge: 'end', isPast: false });
  if (!read.ok) throw new OperatorError(`The day until which the row is expected ${read.problem}.`);
  return new Date(read.at);
}
