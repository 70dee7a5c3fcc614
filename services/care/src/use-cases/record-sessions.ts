/**
 * Records the sessions of lines of a bulk job, as POST /sessions does. One transaction records the sessions of a call, each in a part of its
 * own.
 */
import { notFound } from '@carecover/domain';
import { inParts, rolledBack, type Sql } from '@carecover/postgres';
import type { CareForClaims } from '@carecover/workflow-claim';
import { createSession } from './create-session';

type Input = Parameters<CareForClaims['recordSessions']>[0];
type Outcomes = Awaited<ReturnType<CareForClaims['recordSessions']>>;

/** Records sessions, each once per key. Returns their IDs, or the API errors of {@link createSession}, in the order of the sessions. */
export async function recordSessions(
  sql: Sql,
  { tenant, caller, isDryRun, sessions }: Input,
): Promise<Outcomes> {
  if (caller.tenant !== tenant) throw notFound();
  return (isDryRun ? rolledBack(sql) : sql).begin((tx) =>
    inParts<Input['sessions'][number], Outcomes[number]>(
      tx,
      sessions,
      async (part, { key, session }) => {
        const { text } = await createSession(part, {
          operation: 'createSession',
          caller,
          body: session,
          idempotencyKey: key,
          // The key is used for one input.
          requestHash: Buffer.from(key),
          replayStatus: 200,
        });
        return { sessionId: (JSON.parse(text) as { readonly id: string }).id };
      },
      ({ code, message }) => ({ code, message }),
    ),
  );
}
