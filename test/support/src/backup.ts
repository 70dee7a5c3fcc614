/**
 * Backups of a stack's servers while it runs, as docs/operators/backup-and-restore.md says, and their restoration. PostgreSQL's
 * is what pg_basebackup makes, by the same functions of the server; Temporal's is its database file after a crash.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestStack } from '@carecover/local/testing';
import { Client } from 'pg';

const run = promisify(execFile);

/** What belongs to the running server, or is copied when the backup has ended. */
const NOT_COPIED = ['pg_wal', 'postmaster.pid', 'postmaster.opts'];
const DATABASE_FILES = ['', '-wal', '-shm'];

export interface Backup {
  /** Stops the server, puts its data back as they were, and starts it. */
  restore(): Promise<void>;
  delete(): Promise<void>;
}

const copy = (from: string, to: string) => run('cp', ['-a', from, to]);
const newFolder = () => mkdtemp(join(tmpdir(), 'carecover-backup-'));
const remove = (folder: string) => rm(folder, { recursive: true, force: true });

export async function backUpPostgresql({ stack }: Pick<TestStack, 'stack'>): Promise<Backup> {
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
      await stack.servers.postgresql.stop();
      await remove(data);
      await copy(kept, data);
      await stack.servers.postgresql.start();
    },
    delete: () => remove(folder),
  };
}

export async function backUpTemporal({ stack }: Pick<TestStack, 'stack'>): Promise<Backup> {
  const folder = await newFolder();
  const { temporal } = stack.servers;
  const moveTo = async (from: (suffix: string) => string, to: (suffix: string) => string) => {
    await temporal.kill();
    for (const suffix of DATABASE_FILES) {
      await rm(to(suffix), { force: true });
      await run('sh', ['-c', 'test ! -e "$1" || cp -a "$1" "$2"', 'sh', from(suffix), to(suffix)]);
    }
    await temporal.start();
  };
  const live = (suffix: string) => `${stack.home.temporal}${suffix}`;
  const kept = (suffix: string) => join(folder, `temporal${suffix}`);
  await moveTo(live, kept);
  return { restore: () => moveTo(kept, live), delete: () => remove(folder) };
}
