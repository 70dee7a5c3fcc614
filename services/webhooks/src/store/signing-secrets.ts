/** Signing secrets of endpoints, sealed: the current one, and those replaced of late, which still sign. */
import { SECRET_OVERLAP_MS } from '@carecover/contract';
import type { Db, Fragment, Sql } from '@carecover/platform';
import type { Keyring, Sealed } from '../signing/keyring';

/**
 * At most so many secrets sign at once, the newest first. A caller whose rotation's answer was lost rotates again, and the
 * secret that the receiver knows must survive that; the header must not grow without end.
 */
const MAX_LIVE_SECRETS = 5;

/** Makes `secret` the endpoint's current one; the one before keeps signing for 24 hours. Under the endpoint's row lock. */
export async function replaceSecret(db: Db, endpointId: string, { keyId, sealed }: Sealed): Promise<void> {
  await db`
    update signing_secrets set expires_at = platform.now() + ${SECRET_OVERLAP_MS} * interval '1 millisecond'
    where endpoint_id = ${endpointId} and expires_at is null`;
  await db`
    insert into signing_secrets (endpoint_id, key_id, sealed)
    values (${endpointId}, ${keyId}, ${Buffer.from(sealed)})`;
}

/** The secrets that sign now, the newest first. */
export async function liveSecrets(db: Db, endpointId: string): Promise<Sealed[]> {
  const rows = await db<{ key_id: string; sealed: Buffer }[]>`
    select key_id, sealed from signing_secrets
    where endpoint_id = ${endpointId} and (expires_at is null or expires_at > platform.now())
    order by id desc limit ${MAX_LIVE_SECRETS}`;
  return rows.map(({ key_id, sealed }) => ({ keyId: key_id, sealed }));
}

/** SQL for the ids of the secrets by which an endpoint signs now, the newest first: an array, in a query that names it. */
export function liveSecretIds(db: Db, endpointId: Fragment): Fragment {
  return db`array(
    select s.id from signing_secrets s
    where s.endpoint_id = ${endpointId} and (s.expires_at is null or s.expires_at > platform.now())
    order by s.id desc limit ${MAX_LIVE_SECRETS})`;
}

export interface StoredSecret extends Sealed {
  readonly id: number;
  readonly endpointId: string;
}

/** Those of the ids that are still there. */
export async function readSecrets(db: Db, ids: readonly number[]): Promise<StoredSecret[]> {
  const rows = await db<{ id: number; endpoint_id: string; key_id: string; sealed: Buffer }[]>`
    select id, endpoint_id, key_id, sealed from signing_secrets where id = any(${[...ids]}::bigint[])`;
  return rows.map(({ id, endpoint_id, key_id, sealed }) => ({
    id,
    endpointId: endpoint_id,
    keyId: key_id,
    sealed,
  }));
}

/** Forgets replaced secrets that no longer sign. */
export async function deleteExpiredSecrets(sql: Sql): Promise<void> {
  await sql`delete from signing_secrets where expires_at <= platform.now()`;
}

/** Seals again a batch of secrets that another key than the current one sealed; returns how many. */
export async function resealSecrets(sql: Sql, keyring: Keyring, batch: number): Promise<number> {
  return sql.begin(async (tx) => {
    const rows = await tx<{ id: number; endpoint_id: string; key_id: string; sealed: Buffer }[]>`
      select id, endpoint_id, key_id, sealed from signing_secrets
      where key_id <> ${keyring.currentKeyId} order by id limit ${batch} for update skip locked`;
    for (const { id, endpoint_id, key_id, sealed } of rows) {
      const again = keyring.seal(keyring.open({ keyId: key_id, sealed }, endpoint_id), endpoint_id);
      await tx`
        update signing_secrets set key_id = ${again.keyId}, sealed = ${Buffer.from(again.sealed)} where id = ${id}`;
    }
    return rows.length;
  });
}
