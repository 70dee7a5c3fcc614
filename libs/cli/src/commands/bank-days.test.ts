/** Tests of the commands that close a day and decide about the rows of bank files. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@carecover/domain';
import { GatewayFixture } from '@carecover/gateway/testing';
import { runCommand } from '../testing/run-command';

let fixture: GatewayFixture;
let folder: string;
let project: string;

beforeAll(async () => {
  fixture = await GatewayFixture.start(['gateway', 'care', 'benefits', 'claims', 'payments']);
  folder = await mkdtemp(join(tmpdir(), 'carecover-cli-'));
});
afterAll(async () => {
  await fixture.stop();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) =>
  runCommand(args, {
    CARECOVER_ADMIN_DATABASE_URL: fixture.database.adminUrl,
    CARECOVER_OPERATOR: 'amina',
    CARECOVER_ERASURE_JOURNAL: join(folder, 'erasures.jsonl'),
    HASH_SECRET: 'the secret of the hashes in these tests',
  });

async function write(name: string, content: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

const balance = (type: string, amount: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="KES">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-18</Dt></Dt></Bal>`;
const entry = (reference: string, amount: string) =>
  `<Ntry><Amt Ccy="KES">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-18</Dt></BookgDt>
<AcctSvcrRef>${reference}</AcctSvcrRef></Ntry>`;

/** Imports a statement with three credits that name no remittance, and returns their numbers. */
async function importRows(): Promise<number[]> {
  const file = await write(
    'day.xml',
    `<Document><BkToCstmrStmt><Stmt><Id>S1</Id><Acct><Id><Othr><Id>0001</Id></Othr></Id></Acct>${balance('OPBD', '10.00')}${balance('CLBD', '16.00')}
${entry('A-1', '1.00')}${entry('A-2', '2.00')}${entry('A-3', '3.00')}</Stmt></BkToCstmrStmt></Document>`,
  );
  await run('settlements', 'import', file, '--project', project);
  const { output } = await run('settlements', 'unmatched', '--project', project, '--json');
  return JSON.parse(output).map(({ row }: { row: number }) => row);
}

let rows: string[];
beforeEach(async () => {
  project = (await fixture.project()).project_id;
  rows = (await importRows()).map(String);
});

const close = (...args: string[]) => run('settlements', 'close-day', '--project', project, ...args);
const entries = async (limit: number) =>
  JSON.parse((await run('audit', 'list', '--limit', String(limit), '--json')).output) as {
    action: string;
    details: Record<string, unknown>;
  }[];

test('rows of a simulated project are imported, expected and listed at the time of its clock', async () => {
  project = (await fixture.project('sandbox', new Date('2022-01-01T00:00:00Z'))).project_id;
  const [first = 0] = await importRows();
  const imported = await fixture.sql`
    select distinct imported_at from payments.bank_entries where project_id = ${project}`;
  expect(imported).toEqual([{ imported_at: new Date('2022-01-01T00:00:00.010Z') }]);
  const until = ['--until', '2022-02-01', '--reason', 'advice follows'];
  expect(await run('settlements', 'expect', String(first), ...until)).toMatchObject({ code: 0 });
  expect(await fixture.clockOf(project)).toEqual(new Date('2022-01-01T00:00:00.020Z'));
  for (const scope of [['--project', project], []]) {
    const { output } = await run('settlements', 'unmatched', ...scope, '--json');
    const numbers = JSON.parse(output).map(({ row }: { row: number }) => row);
    expect([scope, numbers.includes(first), numbers.includes(first + 1)]).toEqual([scope, false, true]);
  }
});

test('a day with open rows is printed with its differences and exit code 1; after decisions it is equal', async () => {
  const [first = '', second = '', third = ''] = rows;
  const open = await close();
  expect(open).toMatchObject({
    code: 1,
    errors:
      'carecover: The day 2026-11-18 has 1 difference:\n  0001, KES: 3 rows wait for a person; difference 6.00 KES\n',
  });
  expect(open.output).toContain('account 0001, KES: opens with 10.00 KES, closes with 16.00 KES');
  expect(open.output).toMatch(/^open +3 +6\.00 +0\.00$/m);

  const expected = await run(
    ...[
      'settlements',
      'expect',
      first,
      second,
      '--until',
      '2099-01-31',
      '--reason',
      'advice follows',
      '--json',
    ],
  );
  expect(JSON.parse(expected.output)).toEqual(
    [first, second].map((row) => ({ row: Number(row), result: 'expected' })),
  );
  expect(await entries(2)).toMatchObject(
    [second, first].map((row) => ({
      action: 'settlements.expect',
      details: {
        row: Number(row),
        file: 'day.xml',
        reason: 'advice follows',
        until: '2099-01-31T23:59:59.999Z',
      },
    })),
  );
  expect(await run('settlements', 'dismiss', third, '--reason', 'rent')).toMatchObject({ code: 0 });
  const equal = await close();
  expect(equal).toMatchObject({ code: 0, errors: '' });
  expect(equal.output).toContain('Bank, ledger, advices and receivables are equal.');
  expect(equal.output).toContain('advice follows (operator:amina)');
  expect(JSON.parse((await close('--day', '2026-11-18', '--json')).output)).toMatchObject({
    day: '2026-11-18',
    is_equal: true,
    accounts: [
      { account: '0001', opening: 1_000, closing: 1_600, states: { expected: { count: 2, credits: 300 } } },
    ],
  });

  expect(await run('settlements', 'reopen', first, '--reason', 'a mistake')).toMatchObject({ code: 0 });
  expect(await close()).toMatchObject({ code: 1 });
});

test('a row that can’t be changed is reported, and the others are changed', async () => {
  const [first = ''] = rows;
  const { code, output, errors } = await run('settlements', 'dismiss', '0', first, '--reason', 'rent');
  expect(code).toBe(1);
  expect(output).toMatch(/^0 +There is no unmatched row 0/m);
  expect(output).toMatch(new RegExp(`^${first} +not ours$`, 'm'));
  expect(errors).toContain('1 of 2 rows could not be changed; the others are.');
  const past = await run('settlements', 'expect', rows[1] ?? '', '--until', '2026-01-01', '--reason', 'late');
  expect(past).toMatchObject({ code: 1, output: expect.stringContaining('must be in the future') });
});

test('a day without files, an unknown project and a text that is no day are told apart', async () => {
  const empty = (await fixture.project()).project_id;
  const { code, output } = await run('settlements', 'close-day', '--project', empty);
  expect([code, output]).toEqual([0, 'Nothing is imported.\n']);
  expect(await run('settlements', 'close-day', '--project', 'prj_unknown')).toMatchObject({ code: 1 });
  expect(await close('--day', 'yesterday')).toMatchObject({ code: 2 });
  expect(await close('--day', '2026-02-30')).toMatchObject({ code: 1 });
});

describe('a file of acts', () => {
  const resolve = (file: string) => run('settlements', 'resolve', file, '--project', project);

  test('is executed in its order, and a second time changes nothing', async () => {
    const [first = '', second = '', third = ''] = rows;
    const file = await write(
      'acts.csv',
      [
        'row;act;remittance;until;reason',
        `${first};dismiss;;;rent`,
        `${second};expect;;2099-01-31;advice follows`,
        `${third};assign;rem_unknown;;`,
      ].join('\n'),
    );
    const done = await resolve(file);
    expect(done).toMatchObject({
      code: 1,
      errors: expect.stringContaining('1 of 3 rows could not be changed'),
    });
    expect(done.output).toMatch(new RegExp(`^${first} +not ours$`, 'm'));
    expect(done.output).toMatch(
      new RegExp(`^${third} +There is no remittance rem_unknown in ${project}`, 'm'),
    );
    const again = await resolve(file);
    expect(again).toMatchObject({ code: 1, errors: expect.stringContaining('2 of 3 rows') });
    expect(await close()).toMatchObject({ errors: expect.stringContaining('1 row waits for a person') });
  });

  test('that is corrected and executed again assigns no part twice, also after a lost connection, of which the rows before are printed', async () => {
    const [first = '', second = '', third = ''] = rows;
    const remittance = newId('rem_');
    await fixture.sql`
      insert into payments.remittances
        (id, project_id, environment, payer_reference, payer_reference_key, payer_reference_search, currency, total, received_at, deadline)
      values (${remittance}, ${project}, 'sandbox', 'ERA-9', 'ERA-9', 'ERA-9', 'KES', 900, platform.now(), platform.now())`;
    const open = async () => {
      const { output } = await run('settlements', 'unmatched', '--project', project, '--json');
      return JSON.parse(output).map((each: { open: number }) => each.open);
    };
    const lines = [
      'row,act,remittance,amount',
      `${first},assign,${remittance},40`,
      `${first},assign,${remittance},40`,
      `${second},assign,${remittance},`,
    ];
    const wrong = await write('acts.csv', [...lines, `${third},assign,rem_typo,`].join('\n'));
    expect(await resolve(wrong)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('1 of 4 rows could not be changed'),
    });
    expect(await open()).toEqual([20, 300]);

    const corrected = await write('acts.csv', [...lines, `${third},assign,${remittance},100`].join('\n'));
    await fixture.sql`
      create function payments.lose() returns trigger language plpgsql security definer
      as 'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`;
    await fixture.sql`
      create trigger lose before insert on payments.settlements for each row execute function payments.lose()`;
    const lost = await resolve(corrected);
    await fixture.sql`drop function payments.lose cascade`;
    expect(lost.code).toBe(1);
    expect(lost.output).toMatch(new RegExp(`^${second} +was assigned to ${remittance} before, as stl_`, 'm'));
    expect(lost.output).toMatch(new RegExp(`^${third} +it is not known whether the row was changed$`, 'm'));

    const done = await resolve(corrected);
    expect(done).toMatchObject({ code: 0, errors: '' });
    expect(done.output).toMatch(new RegExp(`^${third} +assigned to ${remittance}$`, 'm'));
    expect(await open()).toEqual([20, 200]);
    expect((await run('settlements', 'assign', third, remittance, '--amount', '50')).output).toContain(
      `Of row ${third}, 2.00 KES was open before, and 1.50 KES is open now.`,
    );
  });

  test('with an invalid line changes nothing, and each is named', async () => {
    const [first = ''] = rows;
    const lines = [
      'row,act,remittance,amount,until,reason',
      `${first},dismiss,,,,rent`,
      `${first},assign,,,,`,
      `${first},assign,rem_1,1.5,,`,
      `${first},expect,,,,why`,
      `${first},dismiss,,,,`,
      `${first},destroy,,,,why`,
      'x,dismiss,,,,why',
    ];
    const { code, errors } = await resolve(await write('wrong.csv', lines.join('\n')));
    expect(code).toBe(1);
    expect(errors).toContain('Nothing was changed.');
    expect([...errors.matchAll(/line (\d+):/g)].map(([, line]) => line)).toEqual([
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
    ]);
    expect(await close()).toMatchObject({ errors: expect.stringContaining('3 rows wait') });
    expect(await resolve(await write('no-columns.csv', 'row\n1\n'))).toMatchObject({ code: 1 });
  });

  test('can’t change rows of another project', async () => {
    const [first = ''] = rows;
    const file = await write('foreign.csv', `row,act,reason\n${first},dismiss,rent\n`);
    const other = (await fixture.project()).project_id;
    const { code, output } = await run('settlements', 'resolve', file, '--project', other);
    expect([code, output]).toEqual([1, expect.stringContaining('There is no unmatched row')]);
  });

  test.each([
    ['take-back', 'prj_unknown', () => 'There is no project prj_unknown.'],
    ['dismiss', 'prj_unknown', () => 'There is no project prj_unknown.'],
    ['take-back', undefined, (row: string) => `There is no open takeback ${row}.`],
  ])('reports for %s in project %s why the row is rejected', async (act, unknown, messageOf) => {
    const [first = ''] = rows;
    for (const row of [first, '0']) {
      const file = await write('rejected.csv', `row,act,reason\n${row},${act},rent\n`);
      const { code, output } = await run('settlements', 'resolve', file, '--project', unknown ?? project);
      expect([code, output]).toEqual([1, expect.stringContaining(messageOf(row))]);
    }
  });
});

test('a CSV file is read by the project’s language and by the names of its heading; an unknown column is rejected', async () => {
  await run('projects', 'set', project, '--locale', 'de-DE');
  const file = await write('export.csv', 'Ref;Zweck;W;Betrag;Tag\nB-1;none;KES;1.234,50;20.11.2026\n');
  const importFile = (columns: string) =>
    run(
      ...[
        'settlements',
        'import',
        file,
        '--project',
        project,
        '--dry-run',
        '--amounts',
        'locale',
        '--dates',
        'locale',
      ],
      ...['--columns', columns],
    );
  const names = 'source_reference=Ref, payer_reference=Zweck,currency=W,amount=Betrag,observed_at=Tag';
  expect((await importFile(names)).output).toContain('credit of 1,234.50 KES on 2026-11-20');
  for (const wrong of ['betrag=Betrag', 'amount', 'amount='])
    expect(await importFile(wrong)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('--columns must have parts'),
    });
});
