/**
 * A pass of the verification over the ledger. It verifies ranges of claims or remittances, each range in a database snapshot of its own, so
 * that no snapshot is held for long and memory does not grow with the ledger. A range compares only values that belong to its claims or
 * remittances.
 */
import { databaseNow, type Sql, type Tx } from '@carecover/postgres';
import type { Difference } from './difference';
import { stateDifferences } from './remittance-states';
import { balanceDifferences, countClaims, recoverableDifferences, sumDifferences } from './store/balances';
import type { Pass, PostingIds, Totals } from './store/checkpoint';
import { compareWithClaims } from './store/claims';
import { postingDifferences } from './store/postings';
import { adviceDifferences, settlementDifferences } from './store/remittances';
import { nextChangedClaims, nextClaims, nextRemittances, type Selection } from './store/selection';

/** The maximum number of differences that are stored, which bounds the memory and the size of the stored pass. */
const MAX_DIFFERENCES = 1_000;

/**
 * Returns a verification pass that has not verified a range yet.
 *
 * @param changedSince as in {@link Pass}
 */
export function newPass(changedSince: number | null, { last, committedThrough }: PostingIds): Pass {
  return {
    changedSince,
    through: last,
    nextSince: committedThrough,
    next: 'claims',
    after: changedSince === null ? '' : String(changedSince),
    totals: { postings: 0, claims: 0, remittances: 0, inFlight: 0, different: 0, differences: [] },
  };
}

/**
 * Verifies the next range of a pass.
 *
 * @param sql a connection of an operator, which can read the schemas of payments and claims
 * @param hasClaims false if the database has no schema of the claims service
 * @returns the pass after the range; `next` is null if it was the last range
 */
export function verifyNext(sql: Sql, pass: Pass, hasClaims: boolean): Promise<Pass> {
  return sql.begin('isolation level repeatable read read only', async (tx) => {
    if (pass.next === 'remittances') {
      const ids = await nextRemittances(tx, pass.after, pass.changedSince !== null);
      const last = ids.at(-1);
      if (last === undefined) return { ...pass, next: null };
      return { ...(await withRemittances(tx, pass, ids)), after: last };
    }
    if (pass.changedSince === null) {
      const range = await nextClaims(tx, pass.after);
      const verified = await withClaims(tx, pass, range, hasClaims);
      return range.through === null ? remittancesNext(verified) : { ...verified, after: range.through };
    }
    const changed = await nextChangedClaims(tx, Number(pass.after), pass.through);
    if (changed.lastPosting === null) return remittancesNext(pass);
    const verified = await withClaims(tx, pass, { ids: changed.claims }, hasClaims);
    return {
      ...(await withRemittances(tx, verified, changed.remittances)),
      after: String(changed.lastPosting),
    };
  });
}

const remittancesNext = (pass: Pass): Pass => ({ ...pass, next: 'remittances', after: '' });

async function withClaims(tx: Tx, pass: Pass, claims: Selection, hasClaims: boolean): Promise<Pass> {
  const compared = hasClaims ? await compareWithClaims(tx, claims) : { differences: [], inFlight: 0 };
  const counts = await countClaims(tx, claims);
  return added(pass, { ...counts, remittances: 0, inFlight: compared.inFlight }, [
    ...(await balanceDifferences(tx, claims)),
    ...(await sumDifferences(tx, claims)),
    ...(await recoverableDifferences(tx, claims)),
    ...(await postingDifferences(tx, claims, hasClaims)),
    ...compared.differences,
  ]);
}

async function withRemittances(tx: Tx, pass: Pass, ids: readonly string[]): Promise<Pass> {
  const counts = { postings: 0, claims: 0, remittances: ids.length, inFlight: 0 };
  return added(pass, counts, [
    ...(await adviceDifferences(tx, { ids })),
    ...(await settlementDifferences(tx, { ids })),
    ...(await stateDifferences(tx, { ids }, await databaseNow(tx))),
  ]);
}

const textOf = ({ subject, says }: Difference) => `${subject} ${says}`;

function added(
  pass: Pass,
  counts: Pick<Totals, 'postings' | 'claims' | 'remittances' | 'inFlight'>,
  differences: readonly Difference[],
): Pass {
  const { totals } = pass;
  // A pass can verify a remittance several times: with each of its changed claims, and again if it is not reconciled. A difference is
  // counted once.
  const known = new Set(totals.differences.map(textOf));
  const found = differences.filter((difference) => !known.has(textOf(difference)));
  return {
    ...pass,
    totals: {
      postings: totals.postings + counts.postings,
      claims: totals.claims + counts.claims,
      remittances: totals.remittances + counts.remittances,
      inFlight: totals.inFlight + counts.inFlight,
      different: totals.different + found.length,
      differences: [...totals.differences, ...found].slice(0, MAX_DIFFERENCES),
    },
  };
}
