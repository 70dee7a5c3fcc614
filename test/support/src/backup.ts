/**
 * Backups of a stack's databases while it runs, as docs/operators/backup-and-restore.md says, and their restoration: the whole
 * PostgreSQL cluster as pg_basebackup copies it, by the same functions of the server, or single databases of it.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TEMPORAL_DATABASES, type TestStack } from '@carecover/local/testing';
import { closeCopiedDatabase, SERVICES_WITH_SCHEMA } from '@carecover/platform/migrate';
import { Client } from 'pg';

const run = promisify(execFile);

/** What belongs to the running server, or is copied when the backup has ended. */
const NOT_COPIED = ['pg_wal', 'postmaster.pid', 'postmaster.opts'];

export interface Backup {
  /** Restores the data as they were. What it needs to stop for that, it starts again. */
  restore(): Promise<void>;
  delete(): Promise<void>;
}

const copy = (from: string, to: string) => run('cp', ['-a', from, to]);
const newFolder = () => mkdtemp(join(tmpdir(), 'carecover-backup-'));
const remove = (folder: string) => rm(folder, { recursive: true, force: true });

/** Backs up the whole cluster: our database and Temporal's, of one instant. */
export async function backUpCluster({ stack }: Pick<TestStack, 'stack'>): Promise<Backup> {
  const folder = await newFolder();
  const data = stack.home.postgresql;
  const kept = join(folder, 'postgresql');
  // The server minds who owns its folder and who may read it.
  await run('sh', [
    '-c',
    'mkdir "$2" && chmod --reference="$1" "$2" && chown --reference="$1" "$2"',
    'sh',
    data,
    kept,
  ]);
  const client = new Client({ connectionString: stack.file.database_url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('hour-old', true)");
    for (const name of await readdir(data)) {
      if (!NOT_COPIED.includes(name)) await copy(join(data, name), join(kept, name));
    }
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await copy(join(data, 'pg_wal'), join(kept, 'pg_wal'));
    await writeFile(join(kept, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  return {
    async restore() {
      // A server that ran on would write what it remembers into the older databases.
      await stack.servers.temporal.stop();
      await stack.servers.postgresql.stop();
      await remove(data);
      await copy(kept, data);
      await stack.servers.postgresql.start();
      await stack.servers.temporal.start();
    },
    delete: () => remove(folder),
  };
}

/** Backs up our database alone: Temporal's live on. Sessions are ended for the moment of the copy. */
export async function backUpDatabase({ stack }: Pick<TestStack, 'stack'>): Promise<Backup> {
  const url = stack.file.database_url;
  const backup = await backUpDatabases(stack, [new URL(url).pathname.slice(1)]);
  return {
    ...backup,
    async restore() {
      await backup.restore();
      // A copy has the tables of the original, but not its owner and who may connect.
      await closeCopiedDatabase(url, SERVICES_WITH_SCHEMA);
    },
  };
}

/** Backs up Temporal's databases alone, as a crash of its server leaves them. */
export async function backUpTemporal({ stack }: Pick<TestStack, 'stack'>): Promise<Backup> {
  const { temporal } = stack.servers;
  await temporal.kill();
  const backup = await backUpDatabases(stack, Object.values(TEMPORAL_DATABASES));
  await temporal.start();
  return {
    ...backup,
    async restore() {
      await temporal.kill();
      await backup.restore();
      await temporal.start();
    },
  };
}

/** Loses Temporal's databases under its running server and starts it without them. */
export async function loseTemporal({ stack }: Pick<TestStack, 'stack'>): Promise<void> {
  const { temporal } = stack.servers;
  await temporal.kill();
  await asAdmin(stack, async (client) => {
    for (const name of Object.values(TEMPORAL_DATABASES))
      await client.query(`drop database ${name} with (force)`);
  });
  await temporal.start();
}

async function backUpDatabases(stack: TestStack['stack'], names: readonly string[]): Promise<Backup> {
  const keptName = (name: string) => `${name}_kept`;
  await asAdmin(stack, async (client) => {
    for (const name of names) await copyDatabase(client, name, keptName(name));
  });
  return {
    restore: () =>
      asAdmin(stack, async (client) => {
        for (const name of names) {
          await client.query(`drop database ${name} with (force)`);
          await copyDatabase(client, keptName(name), name);
        }
      }),
    delete: () =>
      asAdmin(stack, async (client) => {
        for (const name of names) await client.query(`drop database ${keptName(name)}`);
      }),
  };
}

/** PostgreSQL copies a database that no one is connected to. */
async function copyDatabase(client: Client, from: string, to: string): Promise<void> {
  await client.query(`alter database ${from} allow_connections false`);
  try {
    await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [
      from,
    ]);
    await client.query(`create database ${to} template ${from}`);
  } finally {
    await client.query(`alter database ${from} allow_connections true`);
  }
}

async function asAdmin(stack: TestStack['stack'], work: (client: Client) => Promise<void>): Promise<void> {
  const url = new URL(stack.file.database_url);
  url.pathname = '/postgres';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
