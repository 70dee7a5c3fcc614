/**
 * The rules of what a bank entry is: when two rows of files are the same entry, when that is in doubt, and when an entry takes another one back.
 * Pure functions.
 *
 * An entry is identified by its account, its booking date or statement, the bank's references and its amount. Only if all of them agree is a row
 * a repetition. If some agree and others do not, a person decides.
 */
import { createHash } from 'node:crypto';
import { formatMajorUnits, referenceKey, referenceSearchKey } from '@carecover/contract';

/**
 * The type of an entry: a `credit`; a `takeback`, with which the bank takes a credit back; another `debit`; or a `debit_reversal`, with which the bank
 * takes a debit back.
 */
export type EntryType = 'credit' | 'takeback' | 'debit' | 'debit_reversal';

/** An entry of a bank account as a file states it. */
export interface BankEntry {
  readonly type: EntryType;
  /** The account's IBAN or other identification; empty if the file does not say it. */
  readonly account: string;
  /** The statement's identification; empty in a CSV file. */
  readonly statement: string;
  /** The page of the statement; null if it has one page. */
  readonly page: number | null;
  /** The reference that the bank gave the entry, the same in every file; empty if there is none. */
  readonly bankReference: string;
  /** The number of the entry in its statement; empty if there is none. Other statements have entries of the same number. */
  readonly entryReference: string;
  /** The place of the entry in its statement, such as `3/2`: the second transaction of the third entry. */
  readonly place: string;
  /** The references of the payment that payer and banks pass on: EndToEndId, TxId, InstrId, UETR. */
  readonly references: readonly string[];
  /** The texts that can be a remittance's payer_reference, in the order in which they are looked up. */
  readonly payerReferences: readonly string[];
  /** The words of the free text that can be a payer_reference. */
  readonly words: readonly string[];
  readonly currency: string;
  /** In minor units, above zero. */
  readonly amount: number;
  /** The booking date as the bank writes it, `YYYY-MM-DD`. */
  readonly bookedOn: string;
  /** When the bank booked the entry, in ISO 8601. */
  readonly observedAt: string;
  /** The number of earlier entries of the same statement that agree in everything else: 0 for the first. */
  readonly occurrence: number;
  /**
   * If it is one transaction of several of an entry whose sums agree: the bank's reference of that entry, empty if there is none, and its amount in
   * minor units. Otherwise null.
   */
  readonly batch: { readonly reference: string; readonly amount: number } | null;
  /** How the batch's control totals differ from its transactions; null if they agree. The entry then is the whole batch. */
  readonly difference: string | null;
}

/** The direction in which an entry moves money, seen from the account. */
function directionOf(type: EntryType): 'credit' | 'debit' {
  return type === 'credit' || type === 'debit_reversal' ? 'credit' : 'debit';
}

/**
 * Returns the values by which an entry is identified. A number that the bank gives per statement identifies it with the statement alone, and an
 * entry without any reference is identified by its statement and content.
 */
function identityOf(entry: Omit<BankEntry, 'occurrence'>): string {
  const { account, currency, amount, bookedOn, bankReference, references } = entry;
  const isReferenced = bankReference !== '';
  const withinStatement = [entry.statement, entry.page, entry.entryReference];
  return JSON.stringify([
    referenceKey(account),
    directionOf(entry.type),
    currency,
    amount,
    bookedOn,
    referenceKey(bankReference),
    references.map(referenceKey),
    isReferenced ? [] : withinStatement.map((part) => (typeof part === 'string' ? referenceKey(part) : part)),
  ]);
}

/** Counts entries of one statement or CSV file that agree in everything that identifies them. */
export class Occurrences {
  private readonly counts = new Map<string, number>();

  /** Returns how many entries with the identity of this one came before it. */
  next(entry: Omit<BankEntry, 'occurrence'>): number {
    // A digest takes a tenth of the memory.
    const identity = createHash('sha256').update(identityOf(entry)).digest('base64url').slice(0, 22);
    const count = this.counts.get(identity) ?? 0;
    this.counts.set(identity, count + 1);
    return count;
  }
}

/** Returns the key under which an entry is stored, the same in every import: a digest of its identity and its occurrence. */
export function entryKey(entry: BankEntry): string {
  return createHash('sha256')
    .update(`${identityOf(entry)} ${entry.occurrence}`)
    .digest('hex');
}

/** Returns the search keys of the references by which an entry and the one that takes it back are recognized. */
export function referenceKeysOf({ references, bankReference }: BankEntry): string[] {
  return [...new Set([...references, bankReference].map(referenceSearchKey).filter((key) => key !== ''))];
}

/** Maximum length of a derived reference: the API's maximum less the suffix of a settlement of a part of the entry. */
const MAX_DERIVED = 190;
const MIN_REFERENCE = 3;

/**
 * Returns the source_reference of the settlement that records an entry: the bank's reference; with the place in the statement if it is that of a whole
 * batch, such as `B-9/3/2` for the second transaction of the third entry; or one derived from the place alone, such as `KE01/S1/0001` or
 * `KE01/S1/entry 3/2`.
 */
export function sourceReferenceOf(entry: BankEntry): string {
  const { account, statement, bankReference, entryReference, place, batch } = entry;
  if (referenceKey(bankReference).length >= MIN_REFERENCE)
    return batch?.reference === bankReference
      ? `${bankReference.slice(0, MAX_DERIVED - place.length - 1)}/${place}`
      : bankReference;
  const inStatement = entryReference === '' ? `entry ${place}` : entryReference;
  const parts = [account, statement, bankReference === '' ? inStatement : `reference ${bankReference}`];
  return parts
    .filter((part) => part !== '')
    .join('/')
    .slice(-MAX_DERIVED);
}

/** The values of a stored entry with which a new one is compared. */
export interface StoredEntry {
  /** The number of the stored entry, which the CLI and the console show; null if the same file gave the entry and it is not stored yet. */
  readonly row: number | null;
  readonly key: string;
  readonly type: EntryType;
  readonly account: string;
  readonly statement: string;
  readonly bankReference: string;
  readonly references: readonly string[];
  readonly currency: string;
  readonly amount: number;
  readonly bookedOn: string;
  readonly file: string;
  readonly line: number;
}

/** The values that keys of comparison have. */
type Compared = Pick<
  BankEntry,
  'type' | 'account' | 'bankReference' | 'references' | 'bookedOn' | 'currency' | 'amount' | 'batch'
>;

function digest(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** The first reference of the payment: files of one bank differ in how many they have. */
const mainReference = ({ references: [first = ''] }: Compared) => referenceKey(first);

function contentOf({ account, type, bookedOn, currency }: Compared, amount: number): (string | number)[] {
  return [referenceKey(account), directionOf(type), bookedOn, currency, amount];
}

/** Returns what an entry that lists no transactions and the transactions of the same entry in another file have in common. */
function batchOf(entry: Compared): (string | number)[] {
  const { reference, amount } = entry.batch ?? { reference: entry.bankReference, amount: entry.amount };
  const key = referenceKey(reference);
  return key === '' ? contentOf(entry, amount) : [key, directionOf(entry.type), referenceKey(entry.account)];
}

/**
 * Returns the keys under which later entries find an entry as one with which they are compared. Entries of other statements with one of
 * {@link soughtKeys} are compared, of which one per statement is enough: so the work does not grow with the number of entries that are alike.
 */
export function comparedKeys(entry: Compared): string[] {
  const reference = referenceKey(entry.bankReference);
  const direction = directionOf(entry.type);
  const kind = reference === '' ? 'without reference' : 'with reference';
  const content = contentOf(entry, entry.amount);
  return [
    ...(reference === ''
      ? []
      : [
          digest('reference', reference, direction, referenceKey(entry.account)),
          digest('reference of any account', reference, direction),
        ]),
    digest('content', kind, ...content, mainReference(entry)),
    digest('content of any payment', kind, ...content),
    digest(entry.batch === null ? 'whole' : 'part', ...batchOf(entry)),
  ];
}

/** What a new entry has in common with one that it is compared with: it is alike, or one of them is the whole entry of the other. */
type Likeness = 'alike' | 'whole' | 'part';

/**
 * Returns the keys of the entries with which a new entry is compared: those with its bank reference, in its account or in none that is given; those
 * with its account, date, amount and reference of the payment, unless both have a bank reference; and the whole entry of a transaction, or the
 * transactions of a whole entry.
 */
export function soughtKeys(entry: Compared): { readonly key: string; readonly likeness: Likeness }[] {
  const reference = referenceKey(entry.bankReference);
  const account = referenceKey(entry.account);
  const direction = directionOf(entry.type);
  const main = mainReference(entry);
  const content = contentOf(entry, entry.amount);
  const kinds = reference === '' ? ['without reference', 'with reference'] : ['without reference'];
  const byReference =
    account === ''
      ? [digest('reference of any account', reference, direction)]
      : [account, ''].map((each) => digest('reference', reference, direction, each));
  const byContent = kinds.flatMap((kind) =>
    main === ''
      ? [digest('content of any payment', kind, ...content)]
      : [main, ''].map((each) => digest('content', kind, ...content, each)),
  );
  const other = entry.batch === null ? 'part' : 'whole';
  const alike = reference === '' ? byContent : [...byReference, ...byContent];
  return [
    ...alike.map((key) => ({ key, likeness: 'alike' as const })),
    { key: digest(other, ...batchOf(entry)), likeness: other },
  ];
}

/** An entry with which a new one is compared. */
export interface Comparison {
  readonly likeness: Likeness;
  readonly other: StoredEntry;
}

/** Entries with which new ones are compared, by the keys of comparison. */
export class ComparableEntries {
  private readonly byKey = new Map<
    string,
    Map<string, { readonly other: StoredEntry; readonly isDropped: boolean }>
  >();

  /** @param isDropped whether an earlier delivery of the statement listed the entry, and the one that is imported does not */
  add(keys: readonly string[], other: StoredEntry, isDropped = false): void {
    for (const key of keys) {
      const byStatement = this.byKey.get(key) ?? new Map();
      if (isDropped || !byStatement.has(other.statement))
        byStatement.set(other.statement, { other, isDropped });
      this.byKey.set(key, byStatement);
    }
  }

  /** Returns the entries of other statements, and dropped ones, with which an entry is compared, at most one per key. */
  of(entry: BankEntry): Comparison[] {
    return soughtKeys(entry).flatMap(({ key, likeness }) => {
      for (const { other, isDropped } of this.byKey.get(key)?.values() ?? [])
        if (entry.statement === '' || other.statement !== entry.statement || isDropped)
          return [{ likeness, other }];
      return [];
    });
  }
}

/** Returns an entry that is decided about in the form in which later entries of its file are compared with it. */
export function comparableEntry(entry: BankEntry & { readonly line: number }): StoredEntry {
  const { type, account, statement, bankReference, references, currency, amount, bookedOn, line } = entry;
  const key = entryKey(entry);
  return {
    row: null,
    key,
    type,
    account,
    statement,
    bankReference,
    references,
    currency,
    amount,
    bookedOn,
    file: '',
    line,
  };
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return (
    a.length === b.length && a.every((value, index) => referenceKey(value) === referenceKey(b[index] ?? ''))
  );
}

/**
 * Returns why it is in doubt whether a new entry is one that another file or another statement has already given; null if it is certainly another
 * one. It is in doubt if the bank's reference is that of a stored entry that differs in something else; or if the account, date, amount and
 * reference of the payment are those of a stored entry, and only the statement or a missing reference of the bank distinguishes them; or if one is
 * the whole entry, and the other a transaction of it. A delivery of a statement lists an entry once, so that its own entries are different ones;
 * a later delivery can list an entry otherwise.
 *
 * @param others what {@link ComparableEntries} returns for the entry
 */
export function findDoubt(entry: BankEntry, others: Iterable<Comparison>): string | null {
  const reference = referenceKey(entry.bankReference);
  if (entry.occurrence > 0 && reference !== '' && entry.batch === null)
    return 'it repeats a row of the same file, with the same reference, date and amount';
  for (const { likeness, other } of others) {
    const where =
      other.row === null
        ? `line ${other.line} of this file`
        : `row ${other.row} (${other.file}, line ${other.line})`;
    if (likeness === 'whole') return `${where} is the whole entry of which it is a transaction`;
    if (likeness === 'part') return `${where} is a transaction of it that another file lists`;
    return reference !== '' && reference === referenceKey(other.bankReference)
      ? differenceFrom(entry, other, where)
      : `it can be ${where} again: the account, date, amount and references agree, and the bank's reference is missing`;
  }
  return null;
}

function differenceFrom(entry: BankEntry, other: StoredEntry, where: string): string {
  const differences = [
    ...(other.amount === entry.amount && other.currency === entry.currency
      ? []
      : [`the amount (there ${formatMajorUnits(other.amount, other.currency)} ${other.currency})`]),
    ...(other.bookedOn === entry.bookedOn ? [] : [`the date (there ${other.bookedOn})`]),
    ...(areSame(entry.references, other.references) ? [] : ['the references of the payment']),
  ];
  const what = differences.length === 0 ? 'the account or the place' : differences.join(' and ');
  return `its reference was used for ${where}, which differs in ${what}`;
}
