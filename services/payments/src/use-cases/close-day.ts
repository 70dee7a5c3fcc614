/**
 * Closes a day: compares the bank's balances with the stored rows, and the ledger with the advices and the receivables. It stores nothing, so that a
 * day whose file is imported later, or whose row is resolved later, has another result.
 *
 * Failure policy: without the claims service the receivables are not known, which is a difference. Without the database there is no result.
 */
import { ApiError, isUnavailable, type Tenant } from '@carecover/domain';
import type { Sql } from '@carecover/postgres';
import {
  type AccountDay,
  type DayDifference,
  type DayStatement,
  describeRowless,
  findAccountDifferences,
  findPositionDifferences,
  type RowState,
  type StateSum,
} from '../rules/bank-day';
import { dayBounds } from '../settlement-files/local-time';
import {
  type DayRow,
  findLastDay,
  listDayRows,
  listRowlessSettlements,
  MAX_DAY_ROWS,
  readAccountDays,
  readDayEntries,
  readPosition,
} from '../store/bank-days';

/** What payers owe in a currency, in minor units. */
interface OutstandingAmount {
  readonly currency: string;
  readonly amount: number;
}

/** Reads what payers owe for the claims of a project as known at an instant. @throws ApiError service_unavailable */
type ReadOutstanding = (at: Date) => Promise<readonly OutstandingAmount[]>;

/** An account on the day, in one currency. */
interface ClosedAccount {
  /** The account as its statements have it; empty for rows of files without one. */
  readonly account: string;
  readonly currency: string;
  /** The balances before the first and after the last statement of the day, in minor units; null if no statement of the day has them. */
  readonly opening: number | null;
  readonly closing: number | null;
  readonly statements: readonly Pick<DayStatement, 'statement' | 'number' | 'opening' | 'closing'>[];
  /** The rows by where they end, with the sums of their parts. */
  readonly states: Readonly<Record<RowState, StateSum>>;
  readonly differences: readonly DayDifference[];
}

/** What is settled, advised and owed in a currency now, in minor units. */
interface ClosedPosition {
  readonly currency: string;
  readonly settled: number;
  readonly advised: number;
  readonly outstanding: number;
  /** What remittances advise and settlements lack. */
  readonly advices: number;
  /** What payers owe by the claims service; null if it did not respond. */
  readonly receivables: number | null;
  readonly differences: readonly DayDifference[];
}

/** The result of closing a day. */
export interface ClosedDay {
  /** `YYYY-MM-DD`; null if the project has imported nothing. */
  readonly day: string | null;
  /** The instant as of which the ledger was read. */
  readonly read_at: string;
  /** Whether there is no difference. */
  readonly is_equal: boolean;
  readonly accounts: readonly ClosedAccount[];
  readonly positions: readonly ClosedPosition[];
  /** The rows that are not matched, open ones first. */
  readonly rows: readonly DayRow[];
  readonly has_more: boolean;
}

export interface ClosingDeps {
  readonly sql: Sql;
  readonly readOutstanding: ReadOutstanding;
}

/** The day to close; the last one with a statement or a row if `day` is null. Local days are those of the time zone (IANA). */
export interface DayChoice {
  readonly day: string | null;
  readonly timeZone: string;
}

/**
 * Closes a day of a project.
 *
 * @throws ApiError validation_failed if the day or the time zone does not exist; service_unavailable if the database does not respond
 */
export async function closeDay(
  { sql, readOutstanding }: ClosingDeps,
  tenant: Tenant,
  { day: chosen, timeZone }: DayChoice,
): Promise<ClosedDay> {
  const bounds = chosen === null ? undefined : requireBounds(chosen, timeZone);
  const read = await sql.begin('isolation level repeatable read read only', async (tx) => {
    const day = chosen ?? (await findLastDay(tx, tenant));
    const ledger = await readPosition(tx, tenant);
    if (day === null) return { day, ledger, accounts: [], rows: [], rowless: [] };
    const entries = await readDayEntries(tx, tenant, day);
    const accounts = await readAccountDays(tx, tenant, day, entries);
    const rows = await listDayRows(tx, tenant, entries);
    const rowless = await listRowlessSettlements(tx, tenant, bounds ?? requireBounds(day, timeZone));
    return { day, ledger, accounts, rows, rowless };
  });
  const { day, ledger, accounts, rows, rowless } = read;
  const receivables = await readOutstanding(ledger.now).catch((error: unknown) => {
    if (!isUnavailable(error)) throw error;
    return null;
  });
  const closedAccounts = accounts.map(toAccount);
  const known = new Map(ledger.positions.map((position) => [position.currency, position]));
  const inCurrencies = [
    ...new Set([...known.keys(), ...(receivables ?? []).map(({ currency }) => currency)]),
  ].sort();
  const positions = inCurrencies.map((currency): ClosedPosition => {
    const position = {
      ...(known.get(currency) ?? { currency, ...NOTHING }),
      receivables: receivables && (receivables.find((each) => each.currency === currency)?.amount ?? 0),
    };
    const { settled, advised, outstanding, advicesOpen: advices } = position;
    const differences = [
      ...findPositionDifferences(position, ledger.pending),
      ...rowless.filter((each) => each.currency === currency).map(describeRowless),
    ];
    return {
      currency,
      settled,
      advised,
      outstanding,
      advices,
      receivables: position.receivables,
      differences,
    };
  });
  return {
    day,
    read_at: ledger.now.toISOString(),
    is_equal: [...closedAccounts, ...positions].every(({ differences }) => differences.length === 0),
    accounts: closedAccounts,
    positions,
    rows: rows.slice(0, MAX_DAY_ROWS),
    has_more: rows.length > MAX_DAY_ROWS,
  };
}

const NOTHING = {
  advised: 0,
  settled: 0,
  outstanding: 0,
  advicesOpen: 0,
  advicesSettled: 0,
  settlements: 0,
};

function requireBounds(day: string, timeZone: string): { readonly start: Date; readonly end: Date } {
  const bounds = dayBounds(day, timeZone);
  if (bounds === undefined)
    throw new ApiError(
      'validation_failed',
      '/day must be a date, such as 2026-11-20, and /time_zone an IANA name.',
    );
  return bounds;
}

function toAccount(day: AccountDay): ClosedAccount {
  const { account, currency, statements, states } = day;
  const withBalances = statements.filter(({ closing }) => closing !== null);
  return {
    account,
    currency,
    opening: withBalances[0]?.opening ?? null,
    closing: withBalances.at(-1)?.closing ?? null,
    statements: statements.map(({ statement, number, opening, closing }) => ({
      statement,
      number,
      opening,
      closing,
    })),
    states,
    differences: findAccountDifferences(day),
  };
}
