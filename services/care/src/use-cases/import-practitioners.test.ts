import { Readable } from 'node:stream';
import type { Tenant } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { newTenant } from '@carecover/testing/services';
import { importPractitioners } from './import-practitioners';

let database: TestDatabase;
let sql: Sql;
let tenant: Tenant;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['care'] });
  sql = connectPostgres(database.url('care'), 4, 'care-test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(() => {
  tenant = newTenant();
});

const HEADER =
  'reference,name,profession,city,country,session_fee_amount,session_fee_currency,timezone,weekly_hours';
const AMINA =
  'npi-1,Amina Otieno,Counsellor,Nairobi,KE,450000,KES,Africa/Nairobi,Mon 09:00-17:00 online|phone; Sat 10:00-23:59 in_person';
const KAVITA = 'npi-2,"Rao, Kavita",Psychiatrist,Mumbai,IN,9000,USD,Asia/Kolkata,';

const csv = (...rows: string[]) => [HEADER, ...rows, ''].join('\n');
const importFile = (format: 'csv' | 'json', file: string | Buffer) =>
  importPractitioners(sql, tenant, format, Readable.from([file]));
const importCsv = (text: string | Buffer) => importFile('csv', text);
const importJson = (rows: unknown) =>
  importFile('json', typeof rows === 'string' ? rows : JSON.stringify(rows, null, 2));

const stored = async () => [
  ...(await sql`select * from practitioners where project_id = ${tenant} order by external_reference`),
];

const amina = {
  reference: 'npi-1',
  name: 'Amina Otieno',
  profession: 'Counsellor',
  city: 'Nairobi',
  country: 'KE',
  session_fee_amount: 450_000,
  session_fee_currency: 'KES',
  timezone: 'Africa/Nairobi',
  weekly_hours: [
    { weekday: 1, start: '09:00', end: '17:00', formats: ['online', 'phone'] },
    { weekday: 6, start: '10:00', end: '23:59', formats: ['in_person'] },
  ],
};

describe('the import of a directory', () => {
  test('reads CSV with quotes, a byte order mark, CR LF and empty lines', async () => {
    const text = `\ufeff${csv(AMINA, '', KAVITA)}`.replaceAll('\n', '\r\n');
    expect(await importCsv(text)).toEqual({ outcome: 'imported', added: 2, changed: 0, unchanged: 0 });
    expect(await stored()).toMatchObject([
      {
        id: expect.stringMatching(/^prc_/),
        name: 'Amina Otieno',
        country: 'KE',
        fee_amount: 450_000,
        fee_currency: 'KES',
        timezone: 'Africa/Nairobi',
        weekly_hours: amina.weekly_hours,
      },
      { name: 'Rao, Kavita', weekly_hours: [] },
    ]);
  });

  test('reads the same entries from JSON', async () => {
    await importCsv(csv(AMINA));
    expect(await importJson([amina])).toEqual({ outcome: 'imported', added: 0, changed: 0, unchanged: 1 });
  });

  test('updates entries with a known reference, keeps their IDs, and keeps practitioners that are not in the file', async () => {
    await importCsv(csv(AMINA, KAVITA));
    const before = await stored();
    const newer = csv(AMINA.replace('450000', '475000'), KAVITA.replace('npi-2', 'npi-3'));
    expect(await importCsv(newer)).toEqual({ outcome: 'imported', added: 1, changed: 1, unchanged: 0 });
    const after = await stored();
    expect(after.map(({ fee_amount }) => fee_amount)).toEqual([475_000, 9_000, 9_000]);
    expect(after.slice(0, 2).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(await importCsv(newer)).toEqual({ outcome: 'imported', added: 0, changed: 0, unchanged: 2 });
  });

  test('inserts each practitioner once when imports run concurrently', async () => {
    const text = csv(...Array.from({ length: 300 }, (_, row) => AMINA.replace('npi-1', `npi-${row}`)));
    const results = await Promise.all([importCsv(text), importCsv(text), importCsv(text)]);
    const added = results.map((result) => (result.outcome === 'imported' ? result.added : -1));
    expect(added.reduce((sum, n) => sum + n)).toBe(300);
    expect(await stored()).toHaveLength(300);
  });

  test('changes only its own project', async () => {
    await importCsv(csv(AMINA));
    const ours = await stored();
    tenant = newTenant();
    await importCsv(csv(AMINA.replace('Amina', 'Another')));
    expect(await sql`select * from practitioners where id = ${ours[0]?.id}`).toMatchObject([
      { name: 'Amina Otieno' },
    ]);
  });

  test('accepts a directory without rows', async () => {
    expect(await importCsv(csv())).toEqual({ outcome: 'imported', added: 0, changed: 0, unchanged: 0 });
    expect(await importJson([])).toEqual({ outcome: 'imported', added: 0, changed: 0, unchanged: 0 });
  });
});

describe('invalid rows', () => {
  test('are all reported with line and reasons, and nothing is written', async () => {
    const text = csv(
      AMINA,
      AMINA.replace('npi-1', 'npi-2').replace('KES', 'JPY').replace('Africa/Nairobi', '+03:00'),
      KAVITA.replace('npi-2', 'npi-3').replace('Kavita', 'Kavita\nPriya'),
      `${KAVITA.replace('npi-2', 'npi-4')},surplus`,
      KAVITA.replace('npi-2', 'npi-1'),
    );
    expect(await importCsv(text)).toEqual({
      outcome: 'rejected',
      invalidRows: [
        {
          line: 3,
          reasons: [
            'session_fee_currency must be one of KES, USD, EUR, GBP',
            'timezone must be the IANA name of a time zone, such as Africa/Nairobi',
          ],
        },
        { line: 6, reasons: ['it has 10 cells, and the heading has 9'] },
        { line: 7, reasons: ['reference must be unique, but line 2 has the same'] },
      ],
    });
    expect(await stored()).toEqual([]);
  });

  test('of JSON are reported with the line on which they begin, with any text in their values', async () => {
    const tricky = { ...amina, name: '"},\n[{ \\' };
    const rows = [
      tricky,
      { ...amina, reference: 'npi-2', country: 'Kenya' },
      'no object',
      { ...amina, nickname: 'Ami' },
    ];
    const text = JSON.stringify(rows, null, 2);
    const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;
    const result = await importJson(text);
    expect(result).toEqual({
      outcome: 'rejected',
      invalidRows: [
        { line: lineOf('"npi-2"') - 1, reasons: ['country must be two capital letters (ISO 3166-1)'] },
        { line: lineOf('"no object"'), reasons: ['the row must be an object'] },
        { line: lineOf('"no object"') + 1, reasons: ['nickname is not a field of a directory; remove it'] },
      ],
    });
  });

  const changes: [string, Record<string, unknown>][] = [
    ['reference', { reference: '' }],
    ['name', { name: ' Amina' }],
    ['name', { name: 'a\u0000b' }],
    ['profession', { profession: 'x'.repeat(201) }],
    ['city', { city: undefined }],
    ['country', { country: 'ke' }],
    ['session_fee_amount', { session_fee_amount: 0 }],
    ['session_fee_amount', { session_fee_amount: 1.5 }],
    ['session_fee_amount', { session_fee_amount: '450000' }],
    ['session_fee_amount', { session_fee_amount: 2 ** 53 }],
    ['session_fee_currency', { session_fee_currency: 'kes' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['timezone', { timezone: 'africa/nairobi' }],
    ['weekly_hours', { weekly_hours: 'Mon 09:00-17:00 online' }],
    ['weekly_hours', { weekly_hours: [{ weekday: 7, start: '09:00', end: '17:00', formats: ['online'] }] }],
    ['weekly_hours', { weekly_hours: [{ weekday: 1, start: '17:00', end: '09:00', formats: ['online'] }] }],
    ['weekly_hours', { weekly_hours: [{ weekday: 1, start: '09:00', end: '09:00', formats: ['online'] }] }],
    ['weekly_hours', { weekly_hours: [{ weekday: 1, start: '09:00', end: '24:00', formats: ['online'] }] }],
    ['weekly_hours', { weekly_hours: [{ weekday: 1, start: '9:00', end: '17:00', formats: ['online'] }] }],
    ['weekly_hours', { weekly_hours: [{ weekday: 1, start: '09:00', end: '17:00', formats: [] }] }],
    ['weekly_hours', { weekly_hours: [{ weekday: 1, start: '09:00', end: '17:00', formats: ['fax'] }] }],
    [
      'weekly_hours',
      { weekly_hours: [{ weekday: 1, start: '09:00', end: '17:00', formats: ['online', 'online'] }] },
    ],
  ];
  test.each(changes)('an invalid %s (%j) is reported by its name', async (field, change) => {
    const result = await importJson([{ ...amina, ...change }]);
    expect(result).toMatchObject({ outcome: 'rejected', invalidRows: [{ line: 2 }] });
    const reasons = result.outcome === 'rejected' ? result.invalidRows[0]?.reasons : [];
    expect(reasons).toEqual([expect.stringMatching(new RegExp(`^${field} `))]);
  });

  test.each(['Mon 09:00-17:00', 'Xyz 09:00-17:00 online', 'Mon 9-17 online', 'Mon 09:00-17:00 online;'])(
    'weekly hours of CSV such as %j are rejected',
    async (cell) => {
      const result = await importCsv(csv(`${KAVITA}"${cell}"`));
      const reasons = [expect.stringMatching(/^weekly_hours /)];
      expect(result).toEqual({ outcome: 'rejected', invalidRows: [{ line: 2, reasons }] });
    },
  );
});

test('rows that can\u2019t be read are reported with the others, and rows without content are skipped', async () => {
  const text = csv(
    AMINA,
    ',,,,,,,,',
    AMINA.replace('npi-1', 'npi-2').replace('Amina', 'Amina "Ami"'),
    AMINA.replace('npi-1', 'npi-3').replace('Amina', 'Ren\u00e9e'),
    AMINA.replace('npi-1', 'npi-4').replace('KES', 'JPY'),
  );
  expect(await importCsv(Buffer.from(text, 'latin1'))).toEqual({
    outcome: 'rejected',
    invalidRows: [
      { line: 4, reasons: [expect.stringMatching(/quotes are misplaced/)] },
      { line: 5, reasons: ['it is not text in UTF-8'] },
      { line: 6, reasons: [expect.stringMatching(/^session_fee_currency/)] },
    ],
  });
  expect(await stored()).toEqual([]);
});

test('a directory in UTF-16 with a byte order mark is read, in both formats', async () => {
  for (const [format, text] of [
    ['csv', csv(AMINA)],
    ['json', JSON.stringify([amina])],
  ] as const)
    expect(await importFile(format, Buffer.from(`\ufeff${text}`, 'utf16le'))).toMatchObject({
      outcome: 'imported',
    });
});

describe('the memory that a directory takes is bounded:', () => {
  /** Yields a file of up to 30 MB, and counts the bytes that were read. */
  function longFile(start: string, part: string) {
    const repeated = Buffer.from(part.repeat(Math.ceil(10_000 / part.length)));
    let bytes = 0;
    function* chunks() {
      yield Buffer.from(start);
      for (; bytes < 30_000_000; bytes += repeated.length) yield repeated;
    }
    return { input: Readable.from(chunks(), { highWaterMark: 1 }), read: () => bytes };
  }

  test.each(['csv', 'json'] as const)(
    'a %s file of more than 16,000,000 bytes is rejected',
    async (format) => {
      const { input, read } = longFile(format === 'csv' ? csv() : '[', `"${'x'.repeat(1_000)}",\n`);
      expect(await importPractitioners(sql, tenant, format, input)).toEqual({
        outcome: 'rejected',
        invalidRows: [{ line: null, reasons: ['The file has more than 16,000,000 bytes, the maximum.'] }],
      });
      expect(read()).toBeLessThan(16_100_000);
    },
  );

  test.each([
    ['csv', csv(...Array(100_001).fill('x'))],
    ['json', `[0${',0'.repeat(100_000)}]`],
  ] as const)('a %s file of more than 100,000 rows is rejected with one reason', async (format, file) => {
    expect(await importFile(format, file)).toEqual({
      outcome: 'rejected',
      invalidRows: [{ line: null, reasons: ['The file has more than 100,000 rows, the maximum.'] }],
    });
  });

  test('a text of many characters in JSON is reported with its line', async () => {
    for (const name of ['x'.repeat(7_000_000), '\n'.repeat(7_000_000)])
      expect(await importJson(`[\n{"name": ${JSON.stringify(name)}}]`)).toMatchObject({
        outcome: 'rejected',
        invalidRows: [{ line: 2 }],
      });
  });
});

describe('a file that is no directory is rejected with a reason', () => {
  test.each([
    ['csv', 'reference,name\nnpi-1,Amina', 1, /^The heading lacks the columns profession, city/],
    ['csv', `${HEADER},name\n`, 1, /^The heading has the column name twice/],
    ['csv', `${HEADER},nickname\n`, 1, /^The heading has the unknown column nickname/],
    ['csv', `${HEADER.replaceAll(',', ';')}\n`, 1, /separated by ";", and ","/],
    ['csv', '', null, /^The file is empty/],
    ['csv', csv('npi-1,"Amina'), null, /quote/i],
    ['json', '{"reference": "npi-1"}', 1, /^The file must contain an array/],
    ['json', '[\n{"reference": "npi-1"]', 2, /^The file is not JSON: Expected/],
    ['json', '[\n{"reference": Amina}]', null, /^The file is not JSON\.$/],
    ['json', '', null, /^The file is not JSON/],
  ] as const)('%s %j', async (format, text, line, reason) => {
    expect(await importFile(format, text)).toMatchObject({
      outcome: 'rejected',
      invalidRows: [{ reasons: [expect.stringMatching(reason)], ...(line === null ? {} : { line }) }],
    });
  });
});
