import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectPostgres, constantText } from '@carecover/postgres';
import { SERVICES_WITH_SCHEMA } from '@carecover/setup/migrate';
import { TemporalRuns } from '@carecover/temporal';
import {
  CLAIM_STATUS,
  DUE_AT,
  PREAUTHORIZATION_STATUS,
  REMITTANCE_STATUS,
} from '@carecover/temporal/workflow';
import {
  createTestDatabase,
  eventually,
  startDevTemporal,
  startTestTemporalUi,
  type TestDatabase,
} from '@carecover/testing/servers';
import { runCommandLine } from '../../../libs/cli/src/program';
import { extractBlocks, extractInlineCode, ROOT, readPages } from './pages';

type StartOptions = Parameters<TemporalRuns['client']['workflow']['start']>[1];

const pages = readPages('docs/operators');

describe('links into the Temporal UI', () => {
  let temporal: Awaited<ReturnType<typeof startDevTemporal>>;
  let ui: Awaited<ReturnType<typeof startTestTemporalUi>>;
  let temporalRuns: TemporalRuns;
  let links: { title: string; query: string; link: string }[];

  beforeAll(async () => {
    temporal = await startDevTemporal();
    ui = await startTestTemporalUi(temporal.address);
    temporalRuns = TemporalRuns.create({
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: 'default',
    });
    const script = join(ROOT, 'docs/operators/temporal-links.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [script, ui.url]);
    links = stdout
      .trim()
      .split('\n\n')
      .map((entry) => entry.split('\n').map((line) => line.trim()))
      .map(([title = '', query = '', link = '']) => ({ title, query, link }));
  }, 120_000);

  afterAll(async () => {
    await temporalRuns.close();
    await ui.stop();
    await temporal.stop();
  });

  async function startWorkflow(
    id: string,
    attributes: NonNullable<StartOptions['typedSearchAttributes']>,
  ): Promise<void> {
    await temporalRuns.client.workflow.start('any', {
      workflowId: id,
      taskQueue: 'without-worker',
      typedSearchAttributes: attributes,
    });
  }

  async function runQuery(title: RegExp): Promise<string[]> {
    const query = links.find((each) => title.test(each.title))?.query ?? '';
    const ids: string[] = [];
    for await (const { workflowId } of temporalRuns.client.workflow.list({ query })) ids.push(workflowId);
    return ids.sort();
  }

  test('every query is valid and its page opens', async () => {
    expect(links.length).toBeGreaterThan(5);
    for (const { title, query, link } of links) {
      expect(new URL(link).searchParams.get('query')).toBe(query);
      expect([title, (await fetch(link)).status]).toEqual([title, 200]);
      await expect(temporalRuns.client.workflow.count(query)).resolves.toMatchObject({ count: 0 });
    }
  });

  test('every query finds exactly the workflows of its title', async () => {
    const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000);
    await startWorkflow('clm_late', [
      { key: CLAIM_STATUS, value: 'queried' },
      { key: DUE_AT, value: daysFromNow(-1) },
    ]);
    await startWorkflow('clm_waiting', [
      { key: CLAIM_STATUS, value: 'queried' },
      { key: DUE_AT, value: daysFromNow(1) },
    ]);
    await startWorkflow('preauth_soon', [
      { key: PREAUTHORIZATION_STATUS, value: 'approved' },
      { key: DUE_AT, value: daysFromNow(6) },
    ]);
    await startWorkflow('preauth_later', [
      { key: PREAUTHORIZATION_STATUS, value: 'pending' },
      { key: DUE_AT, value: daysFromNow(9) },
    ]);
    await startWorkflow('rem_exception', [{ key: REMITTANCE_STATUS, value: 'exception' }]);
    const countRunning = async () =>
      (await temporalRuns.client.workflow.count('ExecutionStatus = "Running"')).count;
    await eventually('all five workflows are listed', async () => (await countRunning()) === 5);
    expect(await runQuery(/wait for information/)).toEqual(['clm_late', 'clm_waiting']);
    expect(await runQuery(/queried and overdue/)).toEqual(['clm_late']);
    expect(await runQuery(/expiring within a week/)).toEqual(['preauth_soon']);
    expect(await runQuery(/wait for a decision/)).toEqual(['preauth_later']);
    expect(await runQuery(/in exception/)).toEqual(['rem_exception']);
    expect(await runQuery(/overdue by more than a minute/)).toEqual(['clm_late']);
    expect(await runQuery(/abnormal end/)).toEqual([]);
  });
});

describe('statements', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase({ services: [...SERVICES_WITH_SCHEMA] });
  }, 120_000);
  afterAll(() => database.drop());

  const statements = pages.flatMap((page) =>
    extractInlineCode(page)
      .filter((code) => code.startsWith('select '))
      .map((code) => [page.path, code] as const),
  );

  test('the pages have statements', () => expect(statements.length).toBeGreaterThan(8));

  test.each(statements)('%s: %s', async (_path, statement) => {
    const sql = connectPostgres(database.adminUrl, 1, 'docs');
    const failures: string[] = [];
    try {
      for (const schema of SERVICES_WITH_SCHEMA) {
        await sql`select set_config('search_path', ${`${schema}, public`}, false)`;
        await sql`${constantText(statement)}`.catch((error: unknown) => failures.push(`${schema}: ${error}`));
      }
    } finally {
      await sql.end();
    }
    expect([statement, failures.length < SERVICES_WITH_SCHEMA.length ? [] : failures]).toEqual([
      statement,
      [],
    ]);
  });
});

const commands = pages.flatMap((page) =>
  [...extractBlocks(page, 'sh').flatMap((block) => block.split('\n')), ...extractInlineCode(page)]
    .filter((line) => line.startsWith('npx carecover '))
    .map((line) => line.split(' ').slice(2))
    .map((args) => ({
      command: args
        .slice(0, 2)
        .filter((arg) => /^[a-z][a-z-]*$/.test(arg))
        .join(' '),
      options: args.filter((arg) => arg.startsWith('--')),
    })),
);
const optionsOf = (name: string) =>
  commands.flatMap(({ command, options }) => (command === name ? options : []));

test.each([...new Set(commands.map(({ command }) => command))])(
  'the documented command carecover %s exists and has the documented options',
  async (command) => {
    let output = '';
    const code = await runCommandLine(
      [...command.split(' '), '--help'],
      {
        env: {},
        output: { write: (text: string) => (output += text) } as never,
        progress: process.stderr,
        readInput: async () => '',
        catchStop: () => new AbortController().signal,
      },
      (text) => {
        output += text;
      },
    );
    expect([code, output]).toEqual([0, expect.stringContaining(`Usage: carecover ${command}`)]);
    for (const option of optionsOf(command)) expect(output).toContain(`${option} `);
  },
);
