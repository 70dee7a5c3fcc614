/** Records a payer's statement about one coverage. */

import { type JsonResponse, writeOnce } from '@carecover/commands';
import type { Call } from '@carecover/http';
import type { Sql, Tx } from '@carecover/postgres';
import { observationResource } from '../resources';
import { checkNotInFuture, statementOf, withContentHash } from '../rules/coverage-statement';
import { lockMembers } from '../store/members';
import { recordStatements } from './record-statements';

export interface CoverageDependencies {
  readonly sql: Sql;
  /** The secret key of the hash of a statement's content. */
  readonly hashSecret: string;
}

/**
 * Records a payer's statement. Responds 201 if its source version is new, 200 if that version was recorded before with the same content.
 *
 * @throws ApiError validation_failed, source_version_conflict, idempotency_conflict
 */
export function createCoverage(
  { sql, hashSecret }: CoverageDependencies,
  call: Call<'createCoverage'>,
): Promise<JsonResponse> {
  const { tenant } = call.caller;
  const statement = statementOf(call.body);
  const effect = async (tx: Tx, now: Date) => {
    checkNotInFuture(statement.observedAtMs, now, '/observed_at');
    const statements = [withContentHash(statement, hashSecret)];
    const pointer = () => '/source_version';
    const [recorded] = await recordStatements(tx, tenant, statement.contractReference, statements, pointer);
    if (recorded === undefined) throw new Error('a statement was not recorded');
    const { observation, isNew } = recorded;
    return {
      status: isNew ? 201 : 200,
      body: observationResource(observation),
      resourceId: observation.id,
    };
  };
  return writeOnce(sql, call, call.replayStatus, effect, (tx) => lockMembers(tx, tenant));
}
