/**
 * Attacks the guarantee that an erased member can be found nowhere: after a whole journey, every table of every database, every history of
 * Temporal, every file of NATS, of Temporal and of the logs is searched for what the payer said of the person; then again after an erasure, and
 * after a restore of a backup that is older than the erasure.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpCluster, useWorld } from '@carecover/test-support';
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

/** The tables of all databases in which the text stands, as text or in bytes. */
async function tablesWith(text: string): Promise<string[]> {
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
      if (rows.length > 0) found.push(name);
    }
  }
  return found;
}

/** Everything that a history says, its payloads decoded. */
function wordsOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value === null || typeof value !== 'object') return String(value);
  return Object.values(value).map(wordsOf).join('\n');
}

async function histories(): Promise<string> {
  const connection = await Connection.connect({ address: running.stack.file.temporal_address });
  try {
    const { workflow } = new Temporal({ connection });
    const texts: string[] = [];
    for await (const run of workflow.list()) {
      texts.push(
        wordsOf(run.raw),
        wordsOf(await workflow.getHandle(run.workflowId, run.runId).fetchHistory()),
      );
    }
    return texts.join('\n');
  } finally {
    await connection.close();
  }
}

/** The files of the stack in which the text stands: of NATS, Temporal and the logs. PostgreSQL's tables are read by queries. */
async function filesWith(text: string): Promise<string[]> {
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
    [
      join(__dirname, '../../../services/gateway/dist/cli.js'),
      'members',
      'erase',
      '--project',
      file.project_id,
    ],
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

test('what a payer said of an erased member is nowhere, and a restore does not bring it back', async () => {
  const { world } = running;
  const { client } = world;
  // Without a consumer the events stay in the stream, so that the search of NATS's files has something to find.
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
  await client.claims.adjudicate(claimId, world.adjudicationInput());
  const remittance = await client.remittances.create(
    world.remittanceInput([{ claim_id: claimId, paid_amount: 300_000 }]),
  );
  await client.settlements.create(world.settlementInput(remittance.id));
  const references = [approved.member, person];

  // That the search finds what is there: the claim's id is in every kind of store.
  expect(await tablesWith(claimId)).toContain('claims.claims');
  expect(await histories()).toContain(claimId);
  expect((await filesWith(claimId)).some((file) => file.startsWith('nats/'))).toBe(true);

  const found = new Set((await Promise.all(references.map(tablesWith))).flat());
  expect([...found].sort()).toEqual([
    'benefits.commands',
    'benefits.coverage_observations',
    'benefits.coverages',
    'benefits.members',
  ]);
  const nowhereElse = async () => {
    const text = await histories();
    for (const reference of references) {
      expect(text).not.toContain(reference);
      expect(await filesWith(reference)).toEqual([]);
    }
  };
  const inNoTable = async () => {
    for (const reference of references) expect(await tablesWith(reference)).toEqual([]);
  };
  await nowhereElse();
  await running.stack.process('webhooks').start();

  const backup = await backUpCluster(running);
  try {
    erase(approved.member);
    await inNoTable();
    await nowhereElse();

    await Promise.all(services.map((name) => running.stack.process(name).stop()));
    await backup.restore();
    expect(await tablesWith(approved.member)).toEqual(['benefits.members']);
    const recovered = await running.operator<{ erased: number }>(
      'recover-after-restore',
      '--reason',
      'a rehearsal',
    );
    expect(recovered.erased).toBe(1);
    await inNoTable();
  } finally {
    await backup.delete();
  }
  await Promise.all(services.map((name) => running.stack.process(name).start()));

  // The payer states the same person again: another member, of whom no earlier check is reachable.
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
