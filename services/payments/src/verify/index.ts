/**
 * Verifies the ledger: recomputes all values that can be computed from others and compares them with the stored values. It changes nothing
 * but its checkpoint. {@link resendToClaims} sends again the notifications that the claims service lost.
 */
import type { Sql } from '@carecover/postgres';
import { newPass, verifyNext } from './pass';
import {
  countAccounts,
  type Pass,
  readCheckpoint,
  readPostingIds,
  saveEnd,
  savePass,
  type Totals,
} from './store/checkpoint';

export type { Difference } from './difference';
export { resendToClaims } from './store/remittances';

/** The result of a verification; `different` is 0 if the ledger is correct. */
export type Verification = Totals;

/** A verification that continues at its checkpoint. */
export interface ContinuedVerification extends Totals {
  /** Whether the whole ledger was verified, or only what changed since the last verification without differences. */
  readonly isWhole: boolean;
}

/**
 * Verifies the whole ledger, without a checkpoint.
 *
 * @param sql a connection of an operator, which can read the schemas of payments and claims
 * @param options.claims false if the database has no schema of the claims service
 */
export async function verifyLedger(
  sql: Sql,
  options: { readonly claims?: boolean } = {},
): Promise<Verification> {
  let pass = newPass(null, { last: 0, committedThrough: 0 });
  while (pass.next !== null) pass = await verifyNext(sql, pass, options.claims !== false);
  return pass.totals;
}

/**
 * Verifies the claims with postings since the last verification without differences, the remittances that pay them, and the remittances
 * that are not reconciled; the whole ledger if there is no such verification. Continues a pass that was interrupted.
 *
 * @param options.whole verifies the whole ledger
 * @param options.onProgress is called after each range, with the number of verified claims and the number of claims to verify (null if
 * unknown)
 */
export async function continueVerification(
  sql: Sql,
  options: {
    readonly whole: boolean;
    readonly onProgress?: (verified: number, total: number | null) => void;
  },
): Promise<ContinuedVerification> {
  const { verifiedThrough, pass: unfinished } = await readCheckpoint(sql);
  const changedSince = options.whole ? null : verifiedThrough;
  const continues = unfinished !== null && (!options.whole || unfinished.changedSince === null);
  let pass: Pass = continues ? unfinished : newPass(changedSince, await readPostingIds(sql));
  const isWhole = pass.changedSince === null;
  const total = isWhole ? await countAccounts(sql) : null;
  while (pass.next !== null) {
    pass = await verifyNext(sql, pass, true);
    await savePass(sql, pass);
    options.onProgress?.(pass.totals.claims, total);
  }
  // After a pass with differences, the next pass verifies the whole ledger, because a repair can change claims without a new posting.
  await saveEnd(sql, pass.totals.different === 0 ? pass.nextSince : null);
  return { ...pass.totals, isWhole };
}
