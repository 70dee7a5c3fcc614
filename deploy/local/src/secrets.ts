/** The secrets of a local stack, which are created once at random and stored in a file that only its owner can read. */
import { randomBytes } from 'node:crypto';
import { ISSUERS, type Issuer, newPrivateKey } from '@carecover/config';
import { SERVICES_WITH_SCHEMA, type ServiceName } from '@carecover/setup/migrate';
import { readIfExists, writeAtomically } from './files';
import { NATS_USERS, type NatsUser } from './nats';

export interface Secrets {
  postgresAdmin: string;
  /** The database password of each service's role. */
  roles: Record<ServiceName, string>;
  /** The database password of Temporal's server. */
  temporal: string;
  /** The private key with which each issuer signs contexts, in PEM. */
  contextKeys: Record<Issuer, string>;
  /** The client secret with which the console authenticates at the identity provider. */
  oidcClient: string;
  hash: string;
  /** The password of each NATS user. */
  nats: Record<NatsUser, string>;
  /** The password with which servers of a cluster of NATS or PostgreSQL log in to each other. */
  betweenServers: string;
  /** The encryption keys of signing secrets, in the form of the setting WEBHOOK_ENCRYPTION_KEYS. */
  webhookKeys: string;
}

const newSecret = () => randomBytes(32).toString('base64url');

/** Returns the secrets in a file. Creates the file, or adds the secrets that a file of an older release does not have. */
export async function ensureSecrets(file: string): Promise<Secrets> {
  const known = JSON.parse((await readIfExists(file)) ?? '{}') as Partial<Secrets>;
  const secrets: Secrets = {
    postgresAdmin: newSecret(),
    roles: Object.fromEntries(SERVICES_WITH_SCHEMA.map((name) => [name, newSecret()])) as Secrets['roles'],
    temporal: newSecret(),
    contextKeys: Object.fromEntries(ISSUERS.map((name) => [name, newPrivateKey()])) as Secrets['contextKeys'],
    oidcClient: newSecret(),
    hash: newSecret(),
    nats: Object.fromEntries(NATS_USERS.map((name) => [name, newSecret()])) as Secrets['nats'],
    betweenServers: newSecret(),
    webhookKeys: `local:${randomBytes(32).toString('base64')}`,
    ...known,
  };
  if (Object.keys(secrets).length > Object.keys(known).length) {
    await writeAtomically(file, JSON.stringify(secrets, null, 2));
  }
  return secrets;
}
