/**
 * Makes the eligibility checks of lines of a bulk job, as POST /eligibility_checks does. One transaction makes the checks of a call, in a few
 * statements for all of them.
 */
import { type DecidedWrite, writeAllOnce } from '@carecover/commands';
import type { EligibilityCheck, EligibilityCheckInput } from '@carecover/contract';
import { type ApiError, type Caller, isRejection, notFound } from '@carecover/domain';
import { rolledBack, type Sql, type Transactions, type Tx } from '@carecover/postgres';
import type { BenefitsForClaims } from '@carecover/workflow-claim';
import { type CheckedSession, findSnapshotsOfAll, type SnapshotRow } from '../store/coverages';
import { type EligibilityCheckRow, eligibilityChecksInsert } from '../store/eligibility-checks';
import { findMembersWithConsent, lockMembers } from '../store/members';
import { overdueReservationsOfAll } from '../store/reservations';
import { createEligibilityCheck, decideCheck, sessionOf } from './create-eligibility-check';
import { expireOverdue } from './expire-overdue';

type Input = Parameters<BenefitsForClaims['createEligibilityChecks']>[0];
type Outcome = Awaited<ReturnType<BenefitsForClaims['createEligibilityChecks']>>[number];

/** Makes checks, each once per key. Returns their IDs, or the API errors of {@link createEligibilityCheck}, in the order of the checks. */
export async function createEligibilityChecks(
  sql: Sql,
  { tenant, caller, isDryRun, checks }: Input,
): Promise<Outcome[]> {
  if (caller.tenant !== tenant) throw notFound();
  return makeChecks(sql, caller, isDryRun, checks, () => undefined);
}

/**
 * Makes checks, each once per key.
 *
 * @param verify throws an API error if a check that was decided is to be rejected
 */
export function makeChecks<Line extends CheckOfLine>(
  sql: Sql,
  caller: Caller,
  isDryRun: boolean,
  lines: readonly Line[],
  verify: (check: EligibilityCheck, line: Line) => void,
): Promise<Outcome[]> {
  return (isDryRun ? rolledBack(sql) : sql).begin((tx) =>
    writeAllOnce<Line, EligibilityCheckRow, Outcome>(tx, lines, {
      requestOf: ({ key }) => requestOf(caller, key),
      async decide(part, fresh) {
        const decided = await decideChecks(part, caller, fresh);
        return decided.map((decision, index) => {
          const line = fresh[index];
          if (line === undefined || decision === null || isRejection(decision)) return decision;
          return decisionOf(() => {
            verify(decision.body, line);
            return decision;
          });
        });
      },
      insert: (part, rows) => eligibilityChecksInsert(part, caller.tenant, rows),
      alone: async (part, line) => ({ eligibilityCheckId: await makeAlone(part, caller, line, verify) }),
      written: ({ resourceId }) => ({ eligibilityCheckId: resourceId }),
      rejected: ({ code, message }) => ({ code, message }),
    }),
  );
}

/** What a line of a job checks, and the key of its check. */
interface CheckOfLine {
  readonly key: string;
  readonly check: EligibilityCheckInput;
}

type Decision = DecidedWrite<EligibilityCheckRow> & { readonly body: EligibilityCheck };

/** Returns what `decide` returns, or the API error with which it rejects. */
function decisionOf<T>(decide: () => T): T | ApiError {
  try {
    return decide();
  } catch (error) {
    if (!isRejection(error)) throw error;
    return error;
  }
}

/** Decides checks after the expiry of the overdue pre-authorizations of their benefits. One of an unknown member is null. */
async function decideChecks(
  tx: Tx,
  caller: Caller,
  lines: readonly CheckOfLine[],
): Promise<(Decision | ApiError | null)[]> {
  const { tenant } = caller;
  const [checkedAt, members] = await tx.pipeline([
    lockMembers(tx, tenant),
    findMembersWithConsent(
      tx,
      tenant,
      lines.map(({ check }) => check.member_reference),
    ),
  ]);
  const sessions = lines.map(({ check }) => {
    const member = members.get(check.member_reference);
    return member === undefined ? null : decisionOf(() => sessionOf(caller, check, checkedAt, member));
  });
  const asked = sessions.filter(
    (session): session is CheckedSession => session !== null && !isRejection(session),
  );
  const overdue = await overdueReservationsOfAll(tx, tenant, asked);
  if (overdue.length > 0) await expireOverdue(tx, tenant, overdue);
  const snapshots = await snapshotsOf(tx, caller, asked);
  return sessions.map((session, index) => {
    const line = lines[index];
    if (line === undefined || session === null || isRejection(session)) return session as ApiError | null;
    return decideCheck(line.check, session, checkedAt, snapshots.get(session) ?? []);
  });
}

/** Reads the snapshots of sessions. */
async function snapshotsOf(
  tx: Tx,
  { tenant }: Caller,
  sessions: readonly CheckedSession[],
): Promise<ReadonlyMap<CheckedSession, SnapshotRow[]>> {
  const found = new Map<CheckedSession, SnapshotRow[]>();
  for (const isRetrospective of [true, false]) {
    const asked = sessions.filter(({ retrospective }) => retrospective === isRetrospective);
    if (asked.length === 0) continue;
    const snapshots = await findSnapshotsOfAll(tx, tenant, asked, isRetrospective);
    for (const [index, session] of asked.entries()) found.set(session, snapshots[index] ?? []);
  }
  return found;
}

/** Makes the check of one line. @throws the API errors of {@link createEligibilityCheck} and of `verify` */
async function makeAlone<Line extends CheckOfLine>(
  transactions: Transactions,
  caller: Caller,
  line: Line,
  verify: (check: EligibilityCheck, line: Line) => void,
): Promise<string> {
  const { text } = await createEligibilityCheck(transactions, {
    ...requestOf(caller, line.key),
    body: line.check,
    replayStatus: 200,
  });
  const check = JSON.parse(text) as EligibilityCheck;
  verify(check, line);
  return check.id;
}

/** The key is used for one input, so it is the hash too. */
function requestOf(caller: Caller, key: string) {
  return {
    operation: 'createEligibilityCheck',
    caller,
    idempotencyKey: key,
    requestHash: Buffer.from(key),
  } as const;
}
