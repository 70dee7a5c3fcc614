/** SQL of the encrypted signing secrets of endpoints: the current secret, and replaced secrets that stay valid for 24 hours. */
import { SECRET_OVERLAP_MS } from '@carecover/contract';
import type { Tenant } from '@carecover/domain';
import { type Db, DELETION_BATCH, type Fragment, isOnlyDeletion, type Tx } from '@carecover/postgres';
import type { EncryptedSecret } from '../signing/keyring';

/**
 * Maximum number of secrets that sign an event. More than two are needed: a client that did not receive the response of a rotation rotates
 * again, and the secret that the receiver has must stay valid. The number is limited, because every signature makes the header longer.
 */
const MAX_VALID_SECRETS = 5;

/** Inserts a new current secret of a locked endpoint; the previous secret expires after 24 hours. */
export async function replaceSecret(
  db: Db,
  tenant: Tenant,
  endpointId: string,
  { keyId, ciphertext }: EncryptedSecret,
): Promise<void> {
  await db`
    update signing_secrets s set expires_at = platform.real_now() + ${SECRET_OVERLAP_MS} * interval '1 millisecond'
    from endpoints e
    where e.id = ${endpointId} and e.project_id = ${tenant} and s.endpoint_id = e.id and s.expires_at is null`;
  await db`
    insert into signing_secrets (endpoint_id, key_id, ciphertext)
    select id, ${keyId}, ${Buffer.from(ciphertext)}::bytea from endpoints
    where id = ${endpointId} and project_id = ${tenant}`;
}

/** Reads the valid secrets of an endpoint, the newest first. */
export async function validSecretsOf(db: Db, tenant: Tenant, endpointId: string): Promise<EncryptedSecret[]> {
  const rows = await db<{ key_id: string; ciphertext: Buffer }[]>`
    select s.key_id, s.ciphertext from signing_secrets s
    join endpoints e on e.id = s.endpoint_id
    where e.id = ${endpointId} and e.project_id = ${tenant} and (s.expires_at is null or s.expires_at > platform.real_now())
    order by s.id desc limit ${MAX_VALID_SECRETS}`;
  return rows.map(({ key_id, ciphertext }) => ({ keyId: key_id, ciphertext }));
}

/** Returns the SQL expression for the array of the IDs of an endpoint's valid secrets, the newest first. */
export function validSecretIds(db: Db, endpointId: Fragment): Fragment {
  return db`array(
    select s.id from signing_secrets s
    where s.endpoint_id = ${endpointId} and (s.expires_at is null or s.expires_at > platform.real_now())
    order by s.id desc limit ${MAX_VALID_SECRETS})`;
}

export interface StoredSecret extends EncryptedSecret {
  readonly id: number;
  readonly endpointId: string;
}

/** Reads the secrets with the given IDs. Deleted secrets are left out. */
export async function readSecrets(db: Db, ids: readonly number[]): Promise<StoredSecret[]> {
  const rows = await db<{ id: number; endpoint_id: string; key_id: string; ciphertext: Buffer }[]>`
    select id, endpoint_id, key_id, ciphertext from signing_secrets where id = any(${[...ids]}::bigint[])`;
  return rows.map(toStoredSecret);
}

/** Deletes a batch of replaced secrets that are no longer valid. Returns the number of deleted secrets. */
export async function deleteExpiredSecrets(db: Db, batch = DELETION_BATCH): Promise<number> {
  const deleted = await db`
    delete from signing_secrets where id in (
      select id from signing_secrets where expires_at <= (select platform.real_now()) and ${isOnlyDeletion(db, 'signing_secrets')}
      order by expires_at limit ${batch} for update skip locked)
    returning 1`;
  return deleted.length;
}

/** Reads and locks up to `limit` secrets that are encrypted with one of the given keys and that no other transaction has locked. */
export async function lockSecretsOfKeys(
  tx: Tx,
  keyIds: readonly string[],
  limit: number,
): Promise<StoredSecret[]> {
  const rows = await tx<{ id: number; endpoint_id: string; key_id: string; ciphertext: Buffer }[]>`
    select id, endpoint_id, key_id, ciphertext from signing_secrets
    where key_id = any(${[...keyIds]}) order by id limit ${limit} for update skip locked`;
  return rows.map(toStoredSecret);
}

/** Replaces the ciphertext of a locked secret. */
export async function updateCiphertext(
  tx: Tx,
  id: number,
  { keyId, ciphertext }: EncryptedSecret,
): Promise<void> {
  await tx`
    update signing_secrets set key_id = ${keyId}, ciphertext = ${Buffer.from(ciphertext)} where id = ${id}`;
}

function toStoredSecret(row: {
  id: number;
  endpoint_id: string;
  key_id: string;
  ciphertext: Buffer;
}): StoredSecret {
  return { id: row.id, endpointId: row.endpoint_id, keyId: row.key_id, ciphertext: row.ciphertext };
}
