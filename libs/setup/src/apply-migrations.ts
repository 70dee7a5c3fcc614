/**
 * Runs the migrations of a folder while a release serves requests. A migration's statement waits at most two seconds for a lock, because
 * all later statements on the table wait behind it. After this time the migration is rolled back and started again.
 *
 * A file that starts with `-- Up Migration, without transaction` has one statement, such as `create index concurrently`, which waits for
 * other transactions but blocks none.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MigrationBuilder, runner } from 'node-pg-migrate';
import { type Client, DatabaseError } from 'pg';

const LOCK_TIMEOUT = '2s';
const PAUSE_MS = 1_000;
/**
 * Maximum number of attempts to run the migrations. If each attempt waits for a lock until the timeout, all attempts and the pauses between
 * them take five minutes.
 */
const MAX_ATTEMPTS = 100;
const LOCK_NOT_AVAILABLE = '55P03';

const WITHOUT_TRANSACTION = /^-- Up Migration, without transaction$/m;

export interface MigrationFolder {
  readonly dir: string;
  /** The table in the schema that records which migrations ran. */
  readonly migrationsTable: string;
  readonly schema: string;
}

const INVALID_INDEXES = `
  select i.indexrelid::regclass as name from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace and not i.indisvalid`;

/**
 * Adds a file's statements to the migration. If the file runs without a transaction, the invalid index that an interrupted migration left
 * is dropped first. If only the client was interrupted, the server has completed the index: the statement's `if not exists` accepts it.
 */
function actionOf(sql: string) {
  return async (migration: MigrationBuilder) => {
    if (!WITHOUT_TRANSACTION.test(sql)) {
      migration.sql(sql);
      return;
    }
    migration.noTransaction();
    migration.sql('set lock_timeout = 0');
    const invalid: { name: string }[] = await migration.db.select(INVALID_INDEXES);
    for (const { name } of invalid) migration.sql(`drop index concurrently ${name}`);
    migration.sql(sql);
    migration.sql(`set lock_timeout = '${LOCK_TIMEOUT}'`);
  };
}

async function loadFiles(paths: string[]) {
  return Promise.all(
    paths.map(async (path) => ({
      id: path,
      filePaths: [path],
      actions: { up: actionOf(await readFile(path, 'utf8')), down: false as const },
    })),
  );
}

async function attempt(client: Client, { dir, migrationsTable, schema }: MigrationFolder): Promise<void> {
  await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`);
  await runner({
    dbClient: client,
    dir,
    migrationsTable,
    direction: 'up',
    // The wait ends after the lock timeout, and the migration is attempted again.
    advisoryLockMode: 'wait',
    schema,
    migrationsSchema: schema,
    checkOrder: true,
    migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadFiles }],
    log: () => undefined,
  });
}

/**
 * Runs those migrations of the folder that have not run in its schema yet.
 *
 * @throws DatabaseError of the statement that failed; its code is lock_not_available (55P03) if a lock was not available in any attempt
 */
export async function applyMigrations(client: Client, folder: MigrationFolder): Promise<void> {
  try {
    for (let count = 1; ; count++) {
      try {
        return await attempt(client, folder);
      } catch (error) {
        await client.query('rollback');
        const isLocked = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
        if (!isLocked || count === MAX_ATTEMPTS) throw error;
      }
      await sleep(PAUSE_MS);
    }
  } finally {
    await client.query('reset lock_timeout');
  }
}
