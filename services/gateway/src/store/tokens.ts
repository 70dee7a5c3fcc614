/**
 * Tokens. A token is created with a secret key and has some of the key's scopes. It ends when it expires, or when the key is revoked or
 * rotated.
 */

import { newId } from '@carecover/domain';
import { type Db, DELETION_BATCH, isOnlyDeletion } from '@carecover/postgres';

export interface NewToken {
  readonly secretHash: Buffer;
  readonly keyId: string;
  readonly keyGeneration: number;
  readonly scopes: readonly string[];
  readonly resourceIds: readonly string[] | null;
  readonly lifetimeSeconds: number;
}

/** Inserts a token by its hash and returns the instant at which it expires. */
export async function insertToken(db: Db, token: NewToken): Promise<Date> {
  const [row] = await db<{ expires_at: Date }[]>`
    insert into tokens (id, secret_hash, key_id, key_generation, scopes, resource_ids, expires_at)
    values (${newId('tok_')}, ${token.secretHash}, ${token.keyId}, ${token.keyGeneration}, ${[...token.scopes]},
            ${token.resourceIds === null ? null : [...token.resourceIds]},
            platform.real_now() + ${token.lifetimeSeconds} * interval '1 second')
    returning expires_at`;
  if (row === undefined) throw new Error('the token was not stored');
  return row.expires_at;
}

/** Deletes a batch of the tokens that expired more than `days` days ago. Returns the number of deleted tokens. */
export async function deleteExpiredTokens(db: Db, days: number, batch = DELETION_BATCH): Promise<number> {
  const deleted = await db`
    delete from tokens where id in (
      select id from tokens
      where expires_at < (select platform.real_now()) - ${days} * interval '1 day' and ${isOnlyDeletion(db, 'tokens')}
      order by expires_at limit ${batch})
    returning 1`;
  return deleted.length;
}
