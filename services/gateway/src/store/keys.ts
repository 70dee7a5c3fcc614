/**
 * Secret keys as operators manage them. A secret is returned once, at its creation. A rotation or revocation takes effect on the
 * next request.
 */
import type { Environment, GrantedScope } from '@carecover/contract';
import { newId } from '@carecover/domain';
import type { Db, Fragment, Sql, Tx } from '@carecover/postgres';
import { createCredential, credentialStart, hashCredential, parseCredential } from '../credential';
import { OperatorError } from '../operator-error';
import { audited, type Operator, type OperatorPage } from './audit-log';

interface Key {
  readonly id: string;
  readonly project_id: string;
  readonly name: string | null;
  /** The first characters of the secret, by which people recognize the key. */
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly created_at: Date;
  readonly rotated_at: Date | null;
  readonly revoked_at: Date | null;
  /** The minute in which the key, or a token made with it, was last used; null if never. */
  readonly last_used_at: Date | null;
}

export interface NewKey {
  readonly key_id: string;
  readonly secret_key: string;
}

interface FoundKey {
  readonly key_id: string;
  readonly project_id: string;
  readonly name: string | null;
  /** What the secret is: the key's own secret, or that of a token that was created with the key. */
  readonly found_by: 'secret key' | 'token';
  readonly scopes: readonly string[];
  readonly created_at: Date;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
}

/** Finds the key to which a secret belongs. @throws OperatorError, whose message never contains the secret */
export async function findKey(db: Db, text: string): Promise<FoundKey> {
  const credential = parseCredential(text.trim());
  if (credential === null) {
    throw new OperatorError('Standard input contains no complete secret key (sk_…) or token (pt_…).');
  }
  const { hash, kind } = credential;
  const [key] = await (kind === 'token'
    ? db<FoundKey[]>`
        select k.id as key_id, k.project_id, k.name, 'token' as found_by, k.scopes, k.created_at, k.revoked_at,
          (select used_at from gateway.key_uses where key_id = k.id) as last_used_at
        from gateway.tokens t join gateway.keys k on k.id = t.key_id where t.secret_hash = ${hash}`
    : db<FoundKey[]>`
        select id as key_id, project_id, name, 'secret key' as found_by, scopes, created_at, revoked_at,
          (select used_at from gateway.key_uses where key_id = id) as last_used_at
        from gateway.keys where secret_hash = ${hash}`);
  if (key === undefined) {
    throw new OperatorError(
      'No key has this secret. The key was rotated, the token expired, or the secret belongs to another installation.',
    );
  }
  return key;
}

/** Inserts a new key of a project and returns its secret. */
export async function insertKey(
  tx: Tx,
  projectId: string,
  environment: Environment,
  granted: readonly GrantedScope[],
  name: string | null,
  id = newId('key_'),
): Promise<NewKey> {
  const secret = createCredential('secretKey', environment);
  await tx`
    insert into gateway.keys (id, project_id, name, prefix, secret_hash, scopes)
    values (${id}, ${projectId}, ${name}, ${credentialStart(secret)}, ${hashCredential(secret)}, ${[...granted]})`;
  return { key_id: id, secret_key: secret };
}

/** Creates a further key for a project. */
export function createKey(
  sql: Sql,
  actor: Operator,
  projectId: string,
  granted: readonly GrantedScope[],
  name: string | null = null,
): Promise<NewKey> {
  if (name !== null && (name.trim() === '' || name.length > 200))
    throw new OperatorError('The name must have 1 to 200 characters.');
  return audited(sql, actor, 'key.create', async (tx) => {
    const [project] = await tx<{ environment: Environment }[]>`
      select environment from gateway.projects where id = ${projectId}`;
    if (project === undefined) throw new OperatorError(`There is no project ${projectId}.`);
    const key = await insertKey(tx, projectId, project.environment, granted, name);
    return { subject: key.key_id, details: { project_id: projectId, name, scopes: granted }, result: key };
  });
}

/** Replaces a key's secret. The old secret and every token created with it are invalid from the next request. */
export function rotateKey(sql: Sql, actor: Operator, keyId: string): Promise<NewKey> {
  return audited(sql, actor, 'key.rotate', async (tx) => {
    const [key] = await tx<{ environment: Environment; revoked: boolean }[]>`
      select p.environment, k.revoked_at is not null as revoked
      from gateway.keys k join gateway.projects p on p.id = k.project_id where k.id = ${keyId} for update of k`;
    if (key === undefined) throw new OperatorError(`There is no key ${keyId}.`);
    if (key.revoked) throw new OperatorError(`The key ${keyId} is revoked. Create a new key.`);
    const secret = createCredential('secretKey', key.environment);
    await tx`
      update gateway.keys
      set secret_hash = ${hashCredential(secret)}, prefix = ${credentialStart(secret)}, generation = generation + 1, rotated_at = platform.real_now()
      where id = ${keyId}`;
    return { subject: keyId, result: { key_id: keyId, secret_key: secret } };
  });
}

/** Revokes a key and its tokens permanently. A second revocation changes nothing. */
export function revokeKey(
  sql: Sql,
  actor: Operator,
  keyId: string,
): Promise<{ key_id: string; revoked: true }> {
  return audited(sql, actor, 'key.revoke', async (tx) => {
    const changed = await tx`
      update gateway.keys set revoked_at = coalesce(revoked_at, platform.real_now()) where id = ${keyId} returning id`;
    if (changed.length === 0) throw new OperatorError(`There is no key ${keyId}.`);
    return { subject: keyId, result: { key_id: keyId, revoked: true } };
  });
}

/** Reads the keys that meet the condition, without their secrets. */
async function selectKeys(db: Db, condition: Fragment): Promise<Key[]> {
  return [
    ...(await db<Key[]>`
      select id, project_id, name, prefix, scopes, created_at, rotated_at, revoked_at,
        (select used_at from gateway.key_uses where key_id = id) as last_used_at
      from gateway.keys ${condition}`),
  ];
}

/**
 * Lists one page of the keys of a project, or of all projects if `projectId` is null, newest first. Without a page, lists all keys.
 *
 * @param changedSince lists only keys that were created, rotated or revoked at this instant or later
 */
export function listKeys(
  db: Db,
  projectId: string | null,
  { limit, after, changedSince = null }: Partial<OperatorPage & { changedSince: Date | null }> = {},
): Promise<Key[]> {
  return selectKeys(
    db,
    db`where (${projectId}::text is null or project_id = ${projectId}) and (${after ?? null}::text is null or id < ${after ?? null})
       and (${changedSince}::timestamptz is null or greatest(created_at, rotated_at, revoked_at) >= ${changedSince})
       order by id desc limit ${limit ?? null}`,
  );
}

/** Reads a key of the project; undefined if the project has no such key. */
export async function findKeyOf(db: Db, projectId: string, keyId: string): Promise<Key | undefined> {
  const [key] = await selectKeys(db, db`where id = ${keyId} and project_id = ${projectId}`);
  return key;
}
