import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  createTestDatabase,
  eventually,
  startDevTemporal,
  startTestTemporalUi,
  type TestDatabase,
} from '@carecover/local/testing';
import { connectPostgres, type ResourceWorkflow, TemporalCommands } from '@carecover/platform';
import { SERVICES_WITH_SCHEMA } from '@carecover/platform/migrate';
import {
  CLAIM_STATUS,
  DUE_AT,
  PREAUTHORIZATION_STATUS,
  REMITTANCE_STATUS,
} from '@carecover/platform/workflow';
import { runCommandLine } from '../../../services/gateway/src/cli/program';
import { blocks, inlineCode, pagesIn, ROOT } from './pages';

const pages = pagesIn('docs/operators');

describe('links into the Temporal UI', () => {
  let temporal: Awaited<ReturnType<typeof startDevTemporal>>;
  let ui: Awaited<ReturnType<typeof startTestTemporalUi>>;
  let engine: TemporalCommands;
  let asked: { title: string; query: string; link: string }[];

  beforeAll(async () => {
    temporal = await startDevTemporal();
    ui = await startTestTemporalUi(temporal.address);
    engine = TemporalCommands.create({ TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'default' });
    const script = join(ROOT, 'docs/operators/temporal-links.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [script, ui.url]);
    asked = stdout
      .trim()
      .split('\n\n')
      .map((entry) => entry.split('\n').map((line) => line.trim()))
      .map(([title = '', query = '', link = '']) => ({ title, query, link }));
  }, 120_000);

  afterAll(async () => {
    await engine.close();
    await ui.stop();
    await temporal.stop();
  });

  async function start(
    id: string,
    attributes: NonNullable<ResourceWorkflow['typedSearchAttributes']>,
  ): Promise<void> {
    await engine.ensureRunning(id, {
      type: 'any',
      taskQueue: 'nobody',
      args: [],
      typedSearchAttributes: attributes,
    });
  }

  async function found(title: RegExp): Promise<string[]> {
    const query = asked.find((each) => title.test(each.title))?.query ?? '';
    const ids: string[] = [];
    for await (const { workflowId } of engine.client.workflow.list({ query })) ids.push(workflowId);
    return ids.sort();
  }

  test('each is a question that Temporal understands, and its page opens', async () => {
    expect(asked.length).toBeGreaterThan(5);
    for (const { title, query, link } of asked) {
      expect(new URL(link).searchParams.get('query')).toBe(query);
      expect([title, (await fetch(link)).status]).toEqual([title, 200]);
      await expect(engine.client.workflow.count(query)).resolves.toMatchObject({ count: 0 });
    }
  });

  test('each finds what it says and nothing else', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    await start('clm_late', [
      { key: CLAIM_STATUS, value: 'queried' },
      { key: DUE_AT, value: inDays(-1) },
    ]);
    await start('clm_waiting', [
      { key: CLAIM_STATUS, value: 'queried' },
      { key: DUE_AT, value: inDays(1) },
    ]);
    await start('preauth_soon', [
      { key: PREAUTHORIZATION_STATUS, value: 'approved' },
      { key: DUE_AT, value: inDays(6) },
    ]);
    await start('preauth_later', [
      { key: PREAUTHORIZATION_STATUS, value: 'pending' },
      { key: DUE_AT, value: inDays(9) },
    ]);
    await start('rem_exception', [{ key: REMITTANCE_STATUS, value: 'exception' }]);
    const all = async () => (await engine.client.workflow.count('ExecutionStatus = "Running"')).count;
    await eventually('all five are listed', async () => (await all()) === 5);
    expect(await found(/wait for information/)).toEqual(['clm_late', 'clm_waiting']);
    expect(await found(/queried and overdue/)).toEqual(['clm_late']);
    expect(await found(/expiring within a week/)).toEqual(['preauth_soon']);
    expect(await found(/wait for a decision/)).toEqual(['preauth_later']);
    expect(await found(/in exception/)).toEqual(['rem_exception']);
    expect(await found(/overdue by more than a minute/)).toEqual(['clm_late']);
    expect(await found(/abnormal end/)).toEqual([]);
  });
});

describe('statements', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase({ services: [...SERVICES_WITH_SCHEMA] });
  }, 120_000);
  afterAll(() => database.drop());

  const statements = pages.flatMap((page) =>
    inlineCode(page)
      .filter((code) => code.startsWith('select '))
      .map((code) => [page.path, code] as const),
  );

  test('there are some', () => expect(statements.length).toBeGreaterThan(8));

  test.each(statements)('%s: %s', async (_path, statement) => {
    const sql = connectPostgres(database.adminUrl, 1, 'docs');
    const failures: string[] = [];
    try {
      for (const schema of SERVICES_WITH_SCHEMA) {
        await sql`select set_config('search_path', ${`${schema}, public`}, false)`;
        await sql.unsafe(statement).catch((error: unknown) => failures.push(`${schema}: ${error}`));
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
  [...blocks(page, 'sh').flatMap((block) => block.split('\n')), ...inlineCode(page)]
    .filter((line) => line.startsWith('npx carecover '))
    .map((line) => line.split(' ').slice(2))
    .map((words) => ({
      command: words
        .slice(0, 2)
        .filter((word) => /^[a-z][a-z-]*$/.test(word))
        .join(' '),
      options: words.filter((word) => word.startsWith('--')),
    })),
);
const optionsOf = (name: string) =>
  commands.flatMap(({ command, options }) => (command === name ? options : []));

test.each([...new Set(commands.map(({ command }) => command))])(
  'carecover %s is a command of the tool, with the options that it is given',
  async (command) => {
    let written = '';
    const code = await runCommandLine(
      [...command.split(' '), '--help'],
      {
        env: {},
        output: { write: (text: string) => (written += text) } as never,
        progress: process.stderr,
        readInput: async () => '',
        stopped: new AbortController().signal,
      },
      (text) => {
        written += text;
      },
    );
    expect([code, written]).toEqual([0, expect.stringContaining(`Usage: carecover ${command}`)]);
    for (const option of optionsOf(command)) expect(written).toContain(`${option} `);
  },
);
