/**
 * The rules of closing a day: whether the balance of a bank account, the ledger, the payers' advices and the receivables agree, and if not, in what
 * they differ. Pure functions. Amounts are in minor units.
 */
import { formatAmount } from '@carecover/contract';

/**
 * Where a row of a bank file ends; each is in exactly one state. A row of which a part is `open` is open, then `expected`, `not_ours`, `returned`.
 * `matched`: settlements that are matched record it. `returned`: the bank took it back, or it is what the bank took back, and is resolved. `expected`: a person expects it
 * until a date. `not_ours`: it is no funds of claims: a debit, or a person has decided so. `open`: it waits for a person.
 */
export const rowStates = ['matched', 'expected', 'returned', 'not_ours', 'open'] as const;
export type RowState = (typeof rowStates)[number];

/** The rows in a state, and the amounts of their parts in this state. */
export interface StateSum {
  readonly count: number;
  readonly credits: number;
  readonly debits: number;
}

/** A statement that closes on the day, with all its pages. */
export interface DayStatement {
  readonly statement: string;
  readonly number: number | null;
  /** Negative for a debit balance; null if the file does not say it. */
  readonly opening: number | null;
  readonly closing: number | null;
  /** Whether the last page of the statement was imported. */
  readonly isComplete: boolean;
  /** The sums of the stored entries that it lists. */
  readonly credits: number;
  readonly debits: number;
  /** The number of rows that could not be stored. */
  readonly rejected: number;
  /** What its last import says of its balances and totals. */
  readonly differences: readonly string[];
  /** The number of the last imported statement before it, if the one directly before it is missing; otherwise null. */
  readonly numberBeforeGap: number | null;
  /** The statement before it if that does not close with this opening balance; otherwise null. */
  readonly broken: { readonly statement: string; readonly closing: number } | null;
}

/** A row whose settlements settle another amount of claims than the ledger has posted for them, in minor units. */
export interface MispostedRow {
  readonly row: number;
  readonly settled: number;
  readonly posted: number;
}

/** A bank account on a day, in one currency. */
export interface AccountDay {
  /** The account as its statements have it; empty for rows of CSV files without one. */
  readonly account: string;
  readonly currency: string;
  readonly statements: readonly DayStatement[];
  readonly states: Readonly<Record<RowState, StateSum>>;
  /** The rows of the day that no statement with balances lists, although the account has such statements. */
  readonly unlisted: { readonly count: number; readonly amount: number };
  readonly misposted: readonly MispostedRow[];
}

/** What the ledger, the advices and the receivables of a project say in one currency, now. */
export interface Position {
  readonly currency: string;
  /** What the ledger has as advised and not settled. */
  readonly advised: number;
  /** What the ledger has as settled. */
  readonly settled: number;
  /** What claims that are not reversed lack by the ledger: the approved amounts less what claims shows as settled. */
  readonly outstanding: number;
  /** What remittances advise and settlements lack, and what settlements settle of them. */
  readonly advicesOpen: number;
  readonly advicesSettled: number;
  /** The sum of the matched settlements, without the adjustments of settled advices and with the balances that are deducted. */
  readonly settlements: number;
  /** What payers owe by the claims service; null if it did not respond. */
  readonly receivables: number | null;
}

/** A settlement that is observed on the day, and that no row of a bank file shows. */
export interface RowlessSettlement {
  readonly id: string;
  readonly remittance_id: string;
  readonly source_reference: string;
  readonly currency: string;
  readonly amount: number;
}

/** A difference that the closing of a day finds, in words. */
export interface DayDifference {
  readonly kind:
    | 'statement'
    | 'gap'
    | 'rejected'
    | 'unlisted'
    | 'open'
    | 'ledger'
    | 'advices'
    | 'receivables'
    | 'without_row';
  readonly says: string;
  /** The amount in minor units; null if it is not known. */
  readonly amount: number | null;
}

const plural = (count: number, one: string, many: string) => (count === 1 ? `1 ${one}` : `${count} ${many}`);

function statementDifferences(statement: DayStatement, currency: string): DayDifference[] {
  const { opening, closing, credits, debits, rejected, numberBeforeGap, broken } = statement;
  const name = statement.statement;
  const format = (amount: number) => formatAmount(amount, currency);
  const found: DayDifference[] = statement.differences.map((says) => ({
    kind: 'statement',
    says: `statement ${name}: ${says}`,
    amount: null,
  }));
  if (rejected > 0)
    found.push({
      kind: 'rejected',
      says: `statement ${name}: ${plural(rejected, 'row was', 'rows were')} rejected and not stored`,
      amount: null,
    });
  if (closing !== null && !statement.isComplete)
    found.push({
      kind: 'statement',
      says: `statement ${name}: its last page was not imported`,
      amount: null,
    });
  if (opening !== null && closing !== null) {
    const difference = closing - opening - credits + debits;
    if (difference !== 0)
      found.push({
        kind: 'statement',
        says: `statement ${name}: it opens with ${format(opening)} and closes with ${format(closing)}, and its stored rows are ${format(credits - debits)}`,
        amount: difference,
      });
  }
  if (numberBeforeGap !== null)
    found.push({
      kind: 'gap',
      says: `statement ${name}: its number ${statement.number} follows ${numberBeforeGap}; those between them were not imported`,
      amount: null,
    });
  if (broken !== null && opening !== null)
    found.push({
      kind: 'gap',
      says: `statement ${name}: it opens with ${format(opening)}, and statement ${broken.statement} before it closes with ${format(broken.closing)}`,
      amount: opening - broken.closing,
    });
  return found;
}

/** Finds the differences of an account: in its statements, rows that wait for a person, and rows that the ledger has posted otherwise. */
export function findAccountDifferences(day: AccountDay): DayDifference[] {
  const { currency, states, unlisted, misposted } = day;
  const found = day.statements.flatMap((statement) => statementDifferences(statement, currency));
  if (unlisted.count > 0)
    found.push({
      kind: 'unlisted',
      says: `${plural(unlisted.count, 'row is', 'rows are')} in no imported statement of the day`,
      amount: unlisted.amount,
    });
  const { open } = states;
  if (open.count > 0)
    found.push({
      kind: 'open',
      says: `${plural(open.count, 'row waits', 'rows wait')} for a person`,
      amount: open.credits - open.debits,
    });
  for (const { row, settled, posted } of misposted)
    found.push({
      kind: 'ledger',
      says: `row ${row}: settlements settle ${formatAmount(settled, currency)}, and the ledger has ${formatAmount(posted, currency)}`,
      amount: settled - posted,
    });
  return found;
}

/**
 * Finds the differences between the ledger, the advices and the receivables of a project.
 *
 * @param pending the number of records of changes that the claims service has not recorded yet
 */
export function findPositionDifferences(position: Position, pending: number): DayDifference[] {
  const { currency, advised, settled, outstanding, receivables } = position;
  const found: DayDifference[] = [];
  const compare = (
    kind: DayDifference['kind'],
    inLedger: number,
    other: number,
    what: string,
    where: string,
  ) => {
    if (inLedger === other) return;
    const amounts = `${what} is ${formatAmount(inLedger, currency)} in the ledger and ${formatAmount(other, currency)} by ${where}`;
    found.push({ kind, says: amounts, amount: inLedger - other });
  };
  compare('ledger', settled, position.settlements, 'what is settled', 'the settlements');
  compare('advices', advised, position.advicesOpen, 'what is advised and not settled', 'the remittances');
  compare('advices', settled, position.advicesSettled, 'what is settled', 'the remittances');
  if (receivables === null)
    found.push({
      kind: 'receivables',
      says: `the receivables in ${currency} are not known: the claims service did not respond`,
      amount: null,
    });
  else {
    const because =
      pending === 0
        ? 'the receivables'
        : `the receivables, and ${plural(pending, 'record waits', 'records wait')} for the claims service`;
    compare('receivables', outstanding, receivables, 'what payers owe', because);
  }
  return found;
}

/** Describes a settlement that no row of a bank file shows. */
export function describeRowless({
  id,
  remittance_id,
  source_reference,
  currency,
  amount,
}: RowlessSettlement): DayDifference {
  return {
    kind: 'without_row',
    says: `${id} of ${remittance_id} settles ${formatAmount(amount, currency)} with the reference ${source_reference}, and no imported row shows it`,
    amount: -amount,
  };
}
