/** Public tokens: made from a key, of which they can do a part, and dead when it is revoked, rotated or when they expire. */
import { type Db, newId } from '@carecover/platform';

export interface NewToken {
  readonly secretHash: Buffer;
  readonly keyId: string;
  readonly keyGeneration: number;
  readonly scopes: readonly string[];
  readonly resourceIds: readonly string[] | null;
  readonly lifetimeSeconds: number;
}

/** Stores a token by its hash; gives the instant at which it expires. */
export async function insertToken(db: Db, token: NewToken): Promise<Date> {
  const [row] = await db<{ expires_at: Date }[]>`
    insert into tokens (id, secret_hash, key_id, key_generation, scopes, resource_ids, expires_at)
    values (${newId('tok_')}, ${token.secretHash}, ${token.keyId}, ${token.keyGeneration}, ${[...token.scopes]},
            ${token.resourceIds === null ? null : [...token.resourceIds]},
            platform.now() + ${token.lifetimeSeconds} * interval '1 second')
    returning expires_at`;
  if (row === undefined) throw new Error('the token was not stored');
  return row.expires_at;
}

/** Forgets tokens that expired a day ago or earlier. */
export async function deleteExpiredTokens(db: Db): Promise<void> {
  await db`delete from tokens where expires_at < platform.now() - interval '1 day'`;
}
