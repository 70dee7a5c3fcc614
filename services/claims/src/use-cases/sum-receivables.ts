/** Sums what payers owe for a project's claims, as it was known at an instant. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Currency, formatInstant, type Receivables } from '@carecover/contract';
import { type Caller, databaseNow, type Sql, unavailable } from '@carecover/platform';
import { receivablesByCurrency } from '../rules/receivables';
import { LONGEST_WAIT_MS, millisecondsAhead } from '../rules/valuation';
import { sumOutstandingAt } from '../store/receivables';

/** Reads the references of payers by their surrogates, which benefits has. */
export type ReadPayers = (payerIds: readonly string[]) => Promise<Record<string, string>>;

/** Waits until the database's time has passed the instant. @throws ApiError validation_failed, service_unavailable */
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
 * Sums the outstanding amounts of the claims that the client can read, as they were known at `at` (epoch milliseconds). A fact that is
 * recorded during the request can be missing, also if its recorded_at is before `at`: no claim is closed.
 *
 * @throws ApiError validation_failed (an instant more than 5 s ahead, or a sum above 2^53 - 1), service_unavailable
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
        // Benefits has no reference for a payer if it was restored from an older backup than claims.
        payer_reference: payerId === null ? null : (references[payerId] ?? payerId),
        ...payer,
      })),
    })),
  };
}
