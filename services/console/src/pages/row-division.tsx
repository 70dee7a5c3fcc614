/**
 * The division of a bank's row among remittances: what a form assigns, what remains, and what each part changes. The page computes it while a
 * person types, and again before the act.
 */
import { formatAmount } from '@carecover/contract';
import { FormReader } from '../form-reader';
import type { PageRequest } from '../page';
import { Amount } from '../parts';
import type { Candidate, UnmatchedRow } from './unmatched-rows';

/** The start of the name of a field with the part for a remittance of the list; the remittance's ID follows. */
const PART = 'part_';
/** The checkboxes of the remittances of the list that get all that they lack; their values are IDs. */
export const IN_FULL = 'in_full';
/** The fields for a remittance that is not in the list. */
export const OTHER = { remittance: 'Another remittance: its ID or the payer’s reference', amount: 'Amount' };

/** Returns the name of the field with the part for a remittance of the list. */
export const partField = (remittanceId: string) => `${PART}${remittanceId}`;

/** Returns the label of the field of a part; undefined for another field. */
export function labelOfPart(field: string): string | undefined {
  return field.startsWith(PART) ? 'The part' : undefined;
}

/** A part of a row for one remittance. */
export interface Part {
  /** The field at which a problem of the part is shown. */
  readonly field: string;
  readonly remittanceId: string;
  /** In minor units. */
  readonly amount: number;
}

/** What a form assigns of a row. */
export interface Division {
  readonly parts: readonly Part[];
  /** What stays open of the row, in minor units; negative if the parts exceed it. */
  readonly rest: number;
}

/** Returns the IDs of the remittances of the list for which a form has a part, each once, in an order that does not depend on the form's. */
export function dividedIds(form: URLSearchParams): string[] {
  const ids = [...form].flatMap(([name, value]) => {
    if (name === IN_FULL) return value === '' ? [] : [value];
    return name.startsWith(PART) && value.trim() !== '' ? [name.slice(PART.length)] : [];
  });
  return [...new Set(ids)].sort();
}

/**
 * Reads what a form assigns: a typed amount or all that a remittance of the list lacks, and the amount of another remittance, or all that
 * remains. The reader collects the problems.
 *
 * @param lackingOf returns what a remittance of the list lacks in minor units; undefined if it waits for no funds
 * @param other the ID of the remittance that the form names beside the list; null if it names none
 */
export function readDivision(
  form: FormReader,
  row: UnmatchedRow,
  lackingOf: (remittanceId: string) => number | undefined,
  other: string | null,
): Division {
  const full = form.form.getAll(IN_FULL);
  const parts = dividedIds(form.form).map((remittanceId): Part => {
    const field = partField(remittanceId);
    const isFull = full.includes(remittanceId);
    const lacking = lackingOf(remittanceId);
    const amount = form.text(field) === '' ? (lacking ?? 0) : form.amount(field, row.currency);
    if (isFull && (lacking === undefined || amount !== lacking))
      form.reject(field, 'must be empty if “all” is chosen, and the remittance must wait for funds');
    return { field, remittanceId, amount };
  });
  const sum = () => parts.reduce((total, { amount }) => total + amount, 0);
  if (other !== null) {
    const amount = form.text('amount') === '' ? row.open - sum() : form.amount('amount', row.currency);
    if (parts.some(({ remittanceId }) => remittanceId === other))
      form.reject('remittance', 'must be another one than those of the list with a part');
    parts.push({ field: 'amount', remittanceId: other, amount });
  }
  const rest = row.open - sum();
  checkParts(form, row, { parts, rest });
  return { parts, rest };
}

/** Rejects a part of nothing, and at the last part what exceeds the row. */
function checkParts(form: FormReader, row: UnmatchedRow, { parts, rest }: Division): void {
  const isFine = (field: string) => form.found.every((problem) => problem.field !== field);
  const last = parts.at(-1);
  if (rest < 0 && last !== undefined && isFine(last.field)) {
    form.reject(
      last.field,
      parts.length === 1
        ? `must be at most ${formatAmount(row.open, row.currency)}, which is open`
        : `must be ${formatAmount(-rest, row.currency)} less: the parts exceed ${formatAmount(row.open, row.currency)}, which is open`,
    );
  }
  for (const { field, amount } of parts)
    if (amount <= 0 && isFine(field)) form.reject(field, 'must be more than 0');
}

/** What remains of the row, which the script of the page replaces while a person types. */
export function Remaining({
  request,
  row,
  candidates,
}: {
  request: PageRequest;
  row: UnmatchedRow;
  candidates: readonly Candidate[];
}) {
  const form = new FormReader(request.rejected?.form ?? request.query, request);
  const candidateOf = (id: string) => candidates.find((each) => each.id === id);
  const other = form.text('remittance');
  const { parts, rest } = readDivision(
    form,
    row,
    (id) => candidateOf(id)?.lacking,
    other === '' ? null : other,
  );
  const amount = (value: number) => <Amount value={value} currency={row.currency} />;
  const nameOf = (field: string) =>
    field === 'amount' ? other : (candidateOf(field.slice(PART.length))?.payer_reference ?? field);
  return (
    <output id="result" class="result">
      {form.found.length > 0 ? (
        <ul class="late">
          {form.found.map(({ field, problem }) => (
            <li key={field}>
              {nameOf(field)}: {problem}
            </li>
          ))}
        </ul>
      ) : (
        <p>
          {rest === 0 ? <strong class="good">Nothing remains</strong> : <>{amount(rest)} remain</>} of{' '}
          {amount(row.open)}
          {parts.length > 0 && (
            <>
              : {amount(row.open - rest)} for{' '}
              {parts.length === 1 ? 'one remittance' : `${parts.length} remittances`}
            </>
          )}
          .
        </p>
      )}
    </output>
  );
}
