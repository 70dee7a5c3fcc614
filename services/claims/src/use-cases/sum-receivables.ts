/** Computes the receivables of a project: what payers owe for its claims, as it was known at an instant. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Currency, formatInstant, type Receivables } from '@carecover/contract';
import { type Caller, databaseNow, type Sql, unavailable } from '@carecover/platform';
import { receivablesByCurrency } from '../rules/receivables';
import { LONGEST_WAIT_MS, millisecondsAhead } from '../rules/valuation';
import { sumOutstandingAt } from '../store/receivables';

/** Reads the references of payers by their surrogates from benefits. */
export type ReadPayers = (payerIds: readonly string[]) => Promise<Record<string, string>>;

/** Waits until the database's time is after the instant. @throws ApiError validation_failed, service_unavailable */
async function waitUntilPassed(sql: Sql, at: number): Promise<void> {
  for (let waited = 0; ; ) {
    const ahead = millisecondsAhead(at, (await databaseNow(sql)).getTime(), '/query/at');
    if (ahead <= 0) return;
    if (waited + ahead > LONGEST_WAIT_MS) throw unavailable('The time of this instant');
    await sleep(ahead);
    waited += ahead;
  }
}

/**
 * Returns the receivables from the claims that the client can read, as they were known at `at` (epoch milliseconds). A fact that is
 * recorded during the request can be missing even if its recorded_at is before `at`, because this does not set the claims'
 * `closed_through`.
 *
 * @throws ApiError validation_failed if the instant is more than 5 seconds ahead or a sum is above 2^53 - 1; service_unavailable
 */
export async function sumReceivables(
  sql: Sql,
  readPayers: ReadPayers,
  client: Pick<Caller, 'tenant' | 'resourceIds'>,
  at: number,
  currency?: Currency,
): Promise<Receivables> {
  await waitUntilPassed(sql, at);
  const currencies = receivablesByCurrency(await sumOutstandingAt(sql, client, at, currency));
  const payerIds = new Set(currencies.flatMap(({ payers }) => payers.map(({ payerId }) => payerId)));
  const known = [...payerIds].filter((id) => id !== null);
  const references = known.length === 0 ? {} : await readPayers(known);
  return {
    object: 'receivables',
    at: formatInstant(at),
    currencies: currencies.map(({ payers, ...inCurrency }) => ({
      ...inCurrency,
      payers: payers.map(({ payerId, ...payer }) => ({
        // Benefits does not know a payer if it was restored from an older backup than claims.
        payer_reference: payerId === null ? null : (references[payerId] ?? payerId),
        ...payer,
      })),
    })),
  };
}
