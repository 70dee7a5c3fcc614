/** Follows the guide "A bank file, every morning" by its words: each of its commands, on the files that it names. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Remittance } from '@carecover/client';
import { eventually } from '@carecover/testing/servers';
import { runBlock, sectionsOf, type Variables } from '../page-blocks';
import { running } from './world';

const GUIDE = sectionsOf('docs/guides/bank-files.md');
const ACCOUNT = 'KE-0001';
/** A day on which no other suite records a settlement. */
const DAY = '2026-03-20';

const blocksOf = (heading: string) => GUIDE.get(heading) ?? [];

interface Entry {
  readonly reference: string;
  /** In minor units. */
  readonly amount: number;
  readonly payerReference?: string;
  readonly isReversal?: boolean;
}

const major = (amount: number) => (amount / 100).toFixed(2);
const balance = (type: string, amount: number, day: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="KES">${major(amount)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;

/** Writes the bank's file of a day as `statement.xml`. */
async function writeStatement(day: string, number: number, opening: number, entries: readonly Entry[]) {
  const closing = entries.reduce(
    (sum, { amount, isReversal }) => sum + (isReversal === true ? -amount : amount),
    opening,
  );
  const rows = entries.map(
    ({ reference, amount, payerReference = 'NOTPROVIDED', isReversal = false }) =>
      `<Ntry><Amt Ccy="KES">${major(amount)}</Amt><CdtDbtInd>${isReversal ? 'DBIT' : 'CRDT'}</CdtDbtInd><RvslInd>${isReversal}</RvslInd>
<Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>${reference}</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><EndToEndId>${payerReference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`,
  );
  await writeFile(
    join(running.stack.home.folder, 'statement.xml'),
    `<Document><BkToCstmrStmt><Stmt><Id>GUIDE</Id><ElctrncSeqNb>${number}</ElctrncSeqNb><Acct><Id><Othr><Id>${ACCOUNT}</Id></Othr></Id></Acct>
${balance('OPBD', opening, day)}${balance('CLBD', closing, day)}${rows.join('\n')}</Stmt></BkToCstmrStmt></Document>`,
  );
  return closing;
}

/** Runs a block that ends with exit code 1, and returns what it prints. */
async function runRejected(block: string | undefined, variables: Variables): Promise<string> {
  const failure = await runBlock(block, variables).then(
    () => undefined,
    (error: { readonly stdout: string; readonly stderr: string }) => error,
  );
  if (failure === undefined) throw new Error('the command ended with exit code 0');
  return failure.stdout + failure.stderr;
}

/** Closes a day until claims has recorded what payments has sent it, and returns what the command prints then. */
function closeEqualDay(day: string): Promise<string> {
  const [, , , close] = blocksOf('Each morning');
  const block = close?.replace('close-day', `close-day --day ${day}`);
  return eventually('bank, ledger, advices and receivables are equal', () =>
    runBlock(block, {}).catch((error: { readonly stderr: string }) => {
      if (/records? waits? for the claims service/.test(error.stderr)) return undefined;
      throw error;
    }),
  );
}

const rowOf = (list: string, reference: string) =>
  new RegExp(`^(\\d+) .* ${reference} `, 'm').exec(list)?.[1] ?? '';

let paid: Remittance;
let first: Remittance;
let second: Remittance;
let closing: number;
/** What `settlements unmatched` prints after the first import. */
let list: string;

interface ProjectSettings {
  readonly id: string;
  readonly locale: string;
  readonly time_zone: string;
}

/** The project before the guide changed its settings. */
let project: ProjectSettings | undefined;

beforeAll(async () => {
  const { world } = running;
  const projects = await running.operator<ProjectSettings[]>('projects', 'list');
  project = projects.find(({ id }) => id === running.stack.file.project_id);
  [paid, first, second] = [
    await world.createRemittance(),
    await world.createRemittance(),
    await world.createRemittance(),
  ];
});

afterAll(async () => {
  if (project === undefined) throw new Error('the project is not listed');
  const { id, locale, time_zone } = project;
  await running.operator('projects', 'set', id, '--locale', locale, '--time-zone', time_zone);
});

test('once: time zones', async () => {
  const [zones] = blocksOf("Once: where the bank's day begins");
  expect(await runBlock(zones, { ACCOUNT })).toContain('Europe/Berlin');
});

test('each morning: the dry run, the import, the list, and the day with its differences', async () => {
  const [dryRun, load, unmatched, close] = blocksOf('Each morning');
  closing = await writeStatement(DAY, 1, 100_000, [
    { reference: 'GUIDE-PAID', amount: 300_000, payerReference: paid.payer_reference },
    { reference: 'GUIDE-BOTH', amount: 600_000 },
    { reference: 'GUIDE-LATER', amount: 45_000, payerReference: 'ADVICE-TO-COME' },
    { reference: 'GUIDE-RENT', amount: 80_000 },
    { reference: 'GUIDE-REFUND', amount: 1_500 },
  ]);
  const planned = await runBlock(dryRun, {});
  expect(planned).toMatch(/^matched +1$/m);
  expect(planned).toContain('Nothing was recorded');
  expect(await runBlock(load, {})).toMatch(/^matched +1$/m);
  list = await runBlock(unmatched, {});
  for (const reference of ['GUIDE-BOTH', 'GUIDE-LATER', 'GUIDE-RENT', 'GUIDE-REFUND'])
    expect(rowOf(list, reference)).not.toBe('');
  const open = await runRejected(close?.replace('close-day', `close-day --day ${DAY}`), {});
  expect(open).toContain('4 rows wait for a person; difference 7,265.00 KES');
});

test('a spreadsheet with semicolons and decimal commas, and an export with a heading of the bank', async () => {
  const [, , , , spreadsheet, bankExport] = blocksOf('Each morning');
  await writeFile(
    join(running.stack.home.folder, 'bank.csv'),
    'source_reference;payer_reference;currency;amount;observed_at\nGUIDE-CSV;none;KES;1.234,50;20.11.2026\n',
  );
  expect(await runBlock(spreadsheet, {})).toContain('credit of 1,234.50 KES on 2026-11-20');
  // The project's language writes 1,234.50 and, in the en of England and Kenya, the day first.
  await writeFile(
    join(running.stack.home.folder, 'export.csv'),
    'Buchungstag;Referenz;Zweck;Währung;Betrag\n21/11/2026;GUIDE-DE;none;KES;1,234.50\n',
  );
  await running.operator('projects', 'set', running.stack.file.project_id, '--locale', 'en-KE');
  expect(await runBlock(bankExport, {})).toContain('credit of 1,234.50 KES on 2026-11-21');
});

test('a row is divided among two remittances, and a recorded one is not assigned again', async () => {
  const [assign, divide] = blocksOf('Assign a row');
  const divided = await runBlock(divide?.replace('100000', '300000'), {
    ROW: rowOf(list, 'GUIDE-BOTH'),
    FIRST: first.id,
    SECOND: second.id,
  });
  expect(divided.match(/^status +matched$/gm)).toHaveLength(2);
  // The row is recorded, so that it can't be assigned again.
  const again = { ROW: rowOf(list, 'GUIDE-BOTH'), REMITTANCE: second.id };
  expect(await runRejected(assign, again)).toContain('There is no unmatched row');
});

test('rows are expected and not ours, one by one and by a file, and the day is equal', async () => {
  const [expectRow, dismissAndReopen, resolve] = blocksOf('Expected, and not ours');
  expect(
    await runBlock(expectRow?.replace('2027-01-31', '2099-01-31'), { ROW: rowOf(list, 'GUIDE-LATER') }),
  ).toMatch(/ expected$/m);
  const undone = await runBlock(dismissAndReopen, { ROW: rowOf(list, 'GUIDE-RENT') });
  expect(undone).toMatch(/ not ours$/m);
  expect(undone).toMatch(/ open$/m);
  await writeFile(
    join(running.stack.home.folder, 'acts.csv'),
    `row,act,reason\n${rowOf(list, 'GUIDE-RENT')},dismiss,rent\n${rowOf(list, 'GUIDE-REFUND')},dismiss,refund of a supplier\n`,
  );
  expect((await runBlock(resolve, {})).match(/ not ours$/gm)).toHaveLength(2);
  expect(await closeEqualDay(DAY)).toContain('Bank, ledger, advices and receivables are equal.');
});

test('what the bank takes back is reversed, and the day after is equal', async () => {
  const [, load, unmatched] = blocksOf('Each morning');
  const [takeBack] = blocksOf('When the bank takes a credit back');
  await writeStatement('2026-03-21', 2, closing, [
    { reference: 'GUIDE-BACK', amount: 300_000, payerReference: paid.payer_reference, isReversal: true },
  ]);
  expect(await runBlock(load, {})).toContain('the bank takes back 3,000.00 KES');
  const back = rowOf(await runBlock(unmatched, {}), 'GUIDE-BACK');
  expect(await runBlock(takeBack, { ROW: back })).toContain('reversed');
  expect(await closeEqualDay('2026-03-21')).toContain('Bank, ledger, advices and receivables are equal.');
  expect((await running.world.client.remittances.retrieve(paid.id)).status).toBe('received');
});

test('every command of the guide is tested', () => {
  expect(
    [...GUIDE].flatMap(([heading, blocks]) => (blocks.length === 0 ? [] : [[heading, blocks.length]])),
  ).toEqual([
    ["Once: where the bank's day begins", 1],
    ['Each morning', 6],
    ['Assign a row', 2],
    ['When the bank takes a credit back', 1],
    ['Expected, and not ours', 3],
  ]);
});
