/**
 * Backs up and restores the databases of a running stack as docs/operators/backup-and-restore.md describes: either the whole PostgreSQL
 * cluster, with the SQL functions that pg_basebackup uses too, or single databases.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TEMPORAL_DATABASES } from '@carecover/local/temporal';
import { restrictCopiedDatabase, SERVICES_WITH_SCHEMA } from '@carecover/setup/migrate';
import { Client } from 'pg';
import type { TestStack } from '../servers';

const run = promisify(execFile);

/**
 * Files that are not copied with the others: files of the running server, and the folder pg_wal, which is copied after the call of
 * pg_backup_stop.
 */
const NOT_COPIED = ['pg_wal', 'postmaster.pid', 'postmaster.opts'];

export interface Backup {
  /** Restores the data of the backup. Stops the servers that must not run during the restore, and starts them again. */
  restore(): Promise<void>;
  delete(): Promise<void>;
}

const copy = (from: string, to: string) => run('cp', ['-a', from, to]);
const newFolder = () => mkdtemp(join(tmpdir(), 'carecover-backup-'));
const remove = (folder: string) => rm(folder, { recursive: true, force: true });

/** Backs up the whole PostgreSQL cluster: the databases of Carecover and of Temporal at the same instant. */
export async function backUpCluster({ stack }: Pick<TestStack, 'stack'>): Promise<Backup> {
  const folder = await newFolder();
  const data = stack.home.postgresql;
  const copied = join(folder, 'postgresql');
  // The folder is created with the owner and permissions of the original folder, because PostgreSQL requires them.
  await run('sh', [
    '-c',
    'mkdir "$2" && chmod --reference="$1" "$2" && chown --reference="$1" "$2"',
    'sh',
    data,
    copied,
  ]);
  const client = new Client({ connectionString: stack.file.database_url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('hour-old', true)");
    for (const name of await readdir(data)) {
      if (!NOT_COPIED.includes(name)) await copy(join(data, name), join(copied, name));
    }
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await copy(join(data, 'pg_wal'), join(copied, 'pg_wal'));
    await writeFile(join(copied, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  return {
    async restore() {
      // Temporal is stopped first, because a running Temporal server would write its cached state to the restored databases.
      await stack.servers.temporal.stop();
      await stack.servers.postgresql.stop();
      await remove(data);
      await copy(copied, data);
      await stack.servers.postgresql.start();
      await stack.servers.temporal.start();
    },
    delete: () => remove(folder),
  };
}

/** Backs up only the database of Carecover. Terminates the sessions in this database, and prevents new ones until the copy is complete. */
export async function backUpDatabase({ stack }: Pick<TestStack, 'stack'>): Promise<Backup> {
  const url = stack.file.database_url;
  const backup = await backUpDatabases(stack, [new URL(url).pathname.slice(1)]);
  return {
    ...backup,
    async restore() {
      await backup.restore();
      // Sets the owner and the connect privileges of the restored database, which the copy of a database does not keep.
      await restrictCopiedDatabase(url, SERVICES_WITH_SCHEMA);
    },
  };
}

/** Backs up only the databases of Temporal, in the state that a crash of Temporal's server leaves. */
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

/** Kills Temporal's server, drops its databases and starts it again, which creates empty databases. */
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
  const backupName = (name: string) => `${name}_kept`;
  await asAdmin(stack, async (client) => {
    for (const name of names) await copyDatabase(client, name, backupName(name));
  });
  return {
    restore: () =>
      asAdmin(stack, async (client) => {
        for (const name of names) {
          await client.query(`drop database ${name} with (force)`);
          await copyDatabase(client, backupName(name), name);
        }
      }),
    delete: () =>
      asAdmin(stack, async (client) => {
        for (const name of names) await client.query(`drop database ${backupName(name)}`);
      }),
  };
}

/**
 * Copies a database. Terminates its sessions and prevents new ones during the copy, because PostgreSQL does not copy a database that has
 * sessions.
 */
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
