/**
 * Attacks the guarantee that no data of an erased member remain. Searches all tables, all Temporal histories, the files of NATS and
 * Temporal, and the logs for the payer's data about a member: before and after an erasure, and after a restore of an older backup.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeResponse } from '@carecover/commands';
import { eventually } from '@carecover/testing/servers';
import { backUpCluster, useWorld } from '@carecover/testing/stack';
import { Connection, Client as Temporal } from '@temporalio/client';
import { Client as Database } from 'pg';

const running = useWorld();
const services = ['care', 'benefits', 'claims', 'payments', 'webhooks'] as const;

async function query<T extends object>(databaseName: string | null, text: string, values: unknown[] = []) {
  const url = new URL(running.stack.file.database_url);
  if (databaseName !== null) url.pathname = databaseName;
  const client = new Database({ connectionString: url.href });
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Returns whether a stored response in a table contains a text. Stored responses are compressed. */
async function isInAnswer(database: string, table: string, text: string): Promise<boolean> {
  const rows = await query<{ response: Buffer }>(
    database,
    `select response from ${table} where response is not null`,
  );
  return rows.some(({ response }) => decodeResponse(response).includes(text));
}

/** Returns the names of the tables in all databases that contain a text: as characters, as bytes, or in a stored response. */
async function findTablesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  const databases = await query<{ name: string }>(
    null,
    'select datname as name from pg_database where datallowconn and not datistemplate',
  );
  for (const { name: database } of databases) {
    const tables = await query<{ name: string }>(
      database,
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    for (const { name } of tables) {
      const rows = await query(
        database,
        `select 1 from ${name} t where strpos(t::text, $1) > 0 or strpos(t::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0 limit 1`,
        [text],
      );
      const isFound =
        rows.length > 0 || (name.endsWith('.commands') && (await isInAnswer(database, name, text)));
      if (isFound) found.push(name);
    }
  }
  return found;
}

async function areSignalsSent(): Promise<boolean> {
  const [row] = await query<{ sent: boolean }>(
    null,
    `select (select count(*) from benefits.workflow_signals) + (select count(*) from claims.workflow_signals)
       + (select count(*) from payments.workflow_signals) = 0 as sent`,
  );
  return row?.sent === true;
}

/** Returns all values in a Temporal history as text, with decoded payloads. */
function collectText(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value === null || typeof value !== 'object') return String(value);
  return Object.values(value).map(collectText).join('\n');
}

async function readHistories(): Promise<string> {
  const connection = await Connection.connect({ address: running.stack.file.temporal_address });
  try {
    const { workflow } = new Temporal({ connection });
    const texts: string[] = [];
    for await (const run of workflow.list()) {
      texts.push(
        collectText(run.raw),
        collectText(await workflow.getHandle(run.workflowId, run.runId).fetchHistory()),
      );
    }
    return texts.join('\n');
  } finally {
    await connection.close();
  }
}

/**
 * Returns the files in the stack's folder that contain a text. PostgreSQL's files are left out, because its tables are searched by queries.
 */
async function findFilesWith(text: string): Promise<string[]> {
  const { folder } = running.stack.home;
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !file.startsWith(running.stack.home.postgresql));
  const found: string[] = [];
  for (const file of files) {
    const content = await readFile(file).catch(() => Buffer.alloc(0));
    if (content.includes(text)) found.push(file.slice(folder.length + 1));
  }
  return found;
}

function erase(memberReference: string): void {
  const { file, home } = running.stack;
  const secrets = JSON.parse(readFileSync(home.secrets, 'utf8'));
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(__dirname, '../../../libs/cli/dist/main.js'), 'members', 'erase', '--project', file.project_id],
    {
      input: memberReference,
      encoding: 'utf8',
      env: {
        ...process.env,
        CARECOVER_ADMIN_DATABASE_URL: file.database_url,
        CARECOVER_ERASURE_JOURNAL: join(home.folder, 'erasures.jsonl'),
        HASH_SECRET: secrets.hash,
      },
    },
  );
  if (status !== 0) throw new Error(stderr);
}

test('no data of an erased member remains, and a restore does not restore it', async () => {
  const { world } = running;
  const { client } = world;
  // The webhooks service, which consumes events, is stopped, so that the events stay on the stream and in the files of NATS.
  await running.stack.process('webhooks').stop();
  const person = crypto.randomUUID();
  const personal = {
    source_contract_reference: `contract:${person}`,
    external_coverage_reference: `policy:${person}`,
    source_version: `version:${person}`,
    tenant_reference: `group:${person}`,
    evidence_references: [`extract:${person}`],
  };
  const approved = await world.createApprovedPreauthorization(personal);
  await world.deliverSession(approved);
  const { id: claimId } = await client.claims.submit(world.claimInput(approved));
  // A claim that is settled before its first signal has no run, and so no history to search.
  await eventually('the claim has a run', async () => (await readHistories()).includes(claimId));
  await client.claims.adjudicate(claimId, world.adjudicationInput());
  const remittance = await client.remittances.create(
    world.remittanceInput([{ claim_id: claimId, paid_amount: 300_000 }]),
  );
  await client.settlements.create(world.settlementInput(remittance.id));
  await eventually('the workflows have received all signals', areSignalsSent);
  const references = [approved.member, person];

  // Checks that the search itself works: the claim's ID, which is not erased, is found in every kind of store.
  expect(await findTablesWith(claimId)).toContain('claims.claims');
  expect(await readHistories()).toContain(claimId);
  expect((await findFilesWith(claimId)).some((file) => file.startsWith('nats/'))).toBe(true);

  const found = new Set((await Promise.all(references.map(findTablesWith))).flat());
  expect([...found].sort()).toEqual([
    'benefits.commands',
    'benefits.coverage_observations',
    'benefits.coverages',
    'benefits.members',
    'benefits.payer_contracts',
  ]);
  const expectOnlyInTables = async () => {
    const text = await readHistories();
    for (const reference of references) {
      expect(text).not.toContain(reference);
      expect(await findFilesWith(reference)).toEqual([]);
    }
  };
  const expectInNoTable = async () => {
    for (const reference of references) expect(await findTablesWith(reference)).toEqual([]);
  };
  await expectOnlyInTables();
  await running.stack.process('webhooks').start();

  const backup = await backUpCluster(running);
  try {
    erase(approved.member);
    await expectInNoTable();
    await expectOnlyInTables();

    await Promise.all(services.map((name) => running.stack.process(name).stop()));
    await backup.restore();
    expect(await findTablesWith(approved.member)).toEqual(['benefits.members']);
    const recovered = await running.operator<{ erased: number }>(
      'recover-after-restore',
      '--reason',
      'a test',
    );
    expect(recovered.erased).toBe(1);
    await expectInNoTable();
  } finally {
    await backup.delete();
  }
  await Promise.all(services.map((name) => running.stack.process(name).start()));

  // The payer states a coverage of the erased person again. This creates a new member, who does not have the earlier eligibility checks.
  await world.recordCoverage(approved.member, personal);
  const [row] = await query<{ checks: number }>(
    null,
    `select count(e.id)::int as checks from benefits.members m
     left join benefits.eligibility_checks e on e.member_id = m.id where m.reference = $1`,
    [approved.member],
  );
  expect(row?.checks).toBe(0);
  expect((await client.claims.retrieve(claimId)).status).toBe('settled');
}, 300_000);
