/**
 * Records the sessions of lines of a bulk job, as POST /sessions does. One transaction records the sessions of a call, in a few statements for
 * all of them.
 */
import { writeAllOnce } from '@carecover/commands';
import { type Caller, isRejection, notFound } from '@carecover/domain';
import { rolledBack, type Sql, type Transactions } from '@carecover/postgres';
import type { CareForClaims } from '@carecover/workflow-claim';
import { type NewRecordedRow, recordedInsert } from '../store/bookings';
import { findPractitionersNow } from '../store/practitioners';
import { checkReference, createSession, decideSession } from './create-session';

type Input = Parameters<CareForClaims['recordSessions']>[0];
type Line = Input['sessions'][number];
type Outcome = Awaited<ReturnType<CareForClaims['recordSessions']>>[number];

/** Records sessions, each once per key. Returns their IDs, or the API errors of {@link createSession}, in the order of the sessions. */
export async function recordSessions(
  sql: Sql,
  { tenant, caller, isDryRun, sessions }: Input,
): Promise<Outcome[]> {
  if (caller.tenant !== tenant) throw notFound();
  return (isDryRun ? rolledBack(sql) : sql).begin((tx) =>
    writeAllOnce<Line, NewRecordedRow, Outcome>(tx, sessions, {
      requestOf: ({ key }) => requestOf(caller, key),
      async decide(part, lines) {
        const ids = lines.map(({ session }) => session.practitioner_id);
        const practitioners = await findPractitionersNow(part, caller.tenant, ids);
        return lines.map(({ session }) => {
          try {
            checkReference(session);
            return decideSession(caller, session, practitioners.get(session.practitioner_id));
          } catch (error) {
            if (!isRejection(error)) throw error;
            return error;
          }
        });
      },
      insert: recordedInsert,
      alone: (part, line) => recordAlone(part, caller, line),
      written: ({ resourceId }) => ({ sessionId: resourceId }),
      rejected: ({ code, message }) => ({ code, message }),
    }),
  );
}

async function recordAlone(
  transactions: Transactions,
  caller: Caller,
  { key, session }: Line,
): Promise<Outcome> {
  const { text } = await createSession(transactions, {
    ...requestOf(caller, key),
    body: session,
    replayStatus: 200,
  });
  return { sessionId: (JSON.parse(text) as { readonly id: string }).id };
}

/** The key is used for one input, so it is the hash too. */
function requestOf(caller: Caller, key: string) {
  return {
    operation: 'createSession',
    caller,
    idempotencyKey: key,
    requestHash: Buffer.from(key),
  } as const;
}
