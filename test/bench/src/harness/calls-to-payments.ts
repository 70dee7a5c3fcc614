/** The calls of claims to payments, executed in this process. */
import { callsOfClaims } from '@carecover/payments';
import type { Sql } from '@carecover/postgres';

/** Creates the calls of adjudications to payments, with a connection of payments. They never call claims back. */
export function callsToPayments(sql: Sql): ReturnType<typeof callsOfClaims> {
  const notCalled = () => Promise.reject(new Error('an adjudication does not call this'));
  return callsOfClaims({
    sql,
    claims: {
      knownClaims: notCalled,
      recordRemittance: notCalled,
      recordRecovery: notCalled,
      recordWithdrawal: notCalled,
      recordSettlement: notCalled,
      outstandingAt: notCalled,
    },
    waitMs: 0,
    notifySignals: () => undefined,
  });
}
