/** The secrets of a local stack: made once at random, and kept where only the folder's owner can read them. */
import { randomBytes } from 'node:crypto';
import { SERVICES_WITH_SCHEMA, type ServiceName } from '@carecover/setup/migrate';
import { readIfThere, writeWhole } from './files';
import { NATS_USERS, type NatsUser } from './nats';

export interface Secrets {
  postgresAdmin: string;
  /** The database password of each service's role. */
  roles: Record<ServiceName, string>;
  /** The database password of Temporal's server. */
  temporal: string;
  context: string;
  hash: string;
  /** The password of each NATS user. */
  nats: Record<NatsUser, string>;
  /** In the form of WEBHOOK_ENCRYPTION_KEYS. */
  webhookKeys: string;
}

const secret = () => randomBytes(32).toString('base64url');

/** The secrets of this file; those that it lacks, since an older release made it, are added to it. */
export async function secretsIn(file: string): Promise<Secrets> {
  const known = JSON.parse((await readIfThere(file)) ?? '{}') as Partial<Secrets>;
  const made: Secrets = {
    postgresAdmin: secret(),
    roles: Object.fromEntries(SERVICES_WITH_SCHEMA.map((name) => [name, secret()])) as Secrets['roles'],
    temporal: secret(),
    context: secret(),
    hash: secret(),
    nats: Object.fromEntries(NATS_USERS.map((name) => [name, secret()])) as Secrets['nats'],
    webhookKeys: `local:${randomBytes(32).toString('base64')}`,
    // A folder of an earlier release lacks those that were added since.
    ...known,
  };
  if (Object.keys(made).length > Object.keys(known).length) {
    await writeWhole(file, JSON.stringify(made, null, 2));
  }
  return made;
}
