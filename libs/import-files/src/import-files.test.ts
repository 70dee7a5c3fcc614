import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fc } from '@carecover/testing';
import { buildSync } from 'esbuild';
import { type CsvRow, MAX_COLUMNS, readCsvRows } from './csv-rows';
import { FileError } from './file-error';
import { MAX_ROW_BYTES } from './file-rows';
import { readJsonLines } from './json-lines';

const COLUMNS = { required: ['a', 'b'], allowsOthers: true } as const;

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const row of rows) read.push(row);
  return read;
}

/** Splits bytes into chunks of the given size. */
function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const csvOf = (text: string, size = 7): Promise<CsvRow<'a' | 'b'>[]> =>
  all(readCsvRows(Readable.from(chunksOf(Buffer.from(text), size)), COLUMNS));
const linesOf = (text: string, size = 7) =>
  all(readJsonLines(Readable.from(chunksOf(Buffer.from(text), size))));

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe('rows of CSV', () => {
  test('are those that were written, whatever is in quotes, with any line end and in chunks of any size', async () => {
    const piece = fc.constantFrom('"', ',', ';', '\n', '\r', '\r\n', ' ', 'é', '\u2028', 'a', '=1');
    const cell = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
    const rows = fc.array(fc.tuple(cell, cell), { maxLength: 8 });
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(rows, lineEnd, fc.integer({ min: 1, max: 9 }), async (written, end, size) => {
        const text = ['a,b', ...written.map((row) => row.map(quoted).join(' , '))].join(end);
        const linesBefore = (index: number) =>
          written.slice(0, index).reduce((sum, row) => sum + 1 + breaks(row.join()), 2);
        expect(await csvOf(text, size)).toEqual(
          written.map(([a, b], index) => ({ line: linesBefore(index), cells: { a, b } })),
        );
      }),
    );
  });

  const breaks = (text: string) => text.match(/\r\n|\r|\n/g)?.length ?? 0;

  test('of any text are read to their end, in the order of their lines, or the file is rejected', async () => {
    const piece = fc.constantFrom('"', '""', ',', '\n', '\r\n', ' ', 'é', 'a');
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (rows, size) => {
        const read = await csvOf(`a,b\n${rows}`, size).catch((error: unknown) => error);
        if (read instanceof FileError) return;
        const lines = (read as CsvRow<'a'>[]).map(({ line }) => line);
        expect(lines).toEqual([...new Set(lines)].sort((first, second) => first - second));
        const after = await csvOf(`a,b\n${rows}\n1,2`, size);
        expect(after.slice(0, lines.length)).toEqual(read);
        expect(after.at(-1)).toMatchObject({ cells: { a: '1', b: '2' } });
      }),
    );
  });

  test('have white space around cells removed, also around quotes', async () => {
    expect(await csvOf(' a ,\t"b"\n 1\u00a0, "2 "\t\n')).toEqual([{ line: 2, cells: { a: '1', b: '2 ' } }]);
  });

  test('without content are skipped, and columns without a name must be empty', async () => {
    const text = ['', ' ', 'a,b,,', ',,,', '"",,,', '1,2,,', '1,2,,3', '', '4,5,,'].join('\n');
    expect(await csvOf(text)).toEqual([
      { line: 6, cells: { a: '1', b: '2' } },
      { line: 7, reason: 'it has content in a column to which the heading gives no name' },
      { line: 9, cells: { a: '4', b: '5' } },
    ]);
  });

  test('have at most 100,000 bytes', async () => {
    const longest = `${'é'.repeat((MAX_ROW_BYTES - 2) / 2)},b`;
    expect(Buffer.byteLength(longest)).toBe(MAX_ROW_BYTES);
    const rows = await csvOf(`a,b\n${longest}\n${longest}b\n"a\n${longest}"\n1,2`, 1_000);
    expect(rows.map((row) => ('reason' in row ? [row.line, row.reason] : [row.line]))).toEqual([
      [2],
      [3, 'it has more than 100,000 bytes'],
      [4, 'it has more than 100,000 bytes; the row ends on line 5'],
      [6],
    ]);
  });

  test.each(['"secret" x', 'sec"ret', '"secret,x\n1"y'])(
    'with misplaced quotes (%j) are reported without their text',
    async (cell) => {
      const rows = await csvOf(`a,b\n${cell},1\n1,2`);
      expect(rows).toEqual([
        { line: 2, reason: expect.stringMatching(/^its quotes are misplaced/) },
        { line: expect.any(Number), cells: { a: '1', b: '2' } },
      ]);
      expect(JSON.stringify(rows)).not.toContain('secret');
    },
  );

  test.each([
    ['', null, 'The file is empty. Its first row must name the columns a, b.'],
    ['\n\na,c\n1,2', 3, 'The heading lacks the column b.'],
    ['a,b,b\n', 1, 'The heading has the column b twice.'],
    [
      'a;b\n1;2',
      1,
      'The cells are separated by ";", and "," is expected. Export the file again with commas.',
    ],
    [
      'a\tb\n1\t2',
      1,
      'The cells are separated by a tab, and "," is expected. Export the file again with commas.',
    ],
    [
      'a,"b"c\n',
      1,
      "The heading can't be read: its quotes are misplaced: a cell that contains a quote must be in quotes, with the quote doubled.",
    ],
    ['a,b\n1,2\n"3,4\n5,6\n', 3, 'A quoted cell of the row that starts here has no closing quote.'],
  ])('of %j are not read', async (text, line, message) => {
    const error = await csvOf(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FileError);
    expect(error).toMatchObject({ line, message });
  });

  test('of a heading with many columns are rejected with a short message', async () => {
    const columns = Array.from({ length: MAX_COLUMNS }, (_, index) => `c${index}`).join();
    const reading = all(readCsvRows(Readable.from([columns]), { required: ['c1'], allowsOthers: false }));
    await expect(reading).rejects.toThrow(/^The heading has the unknown columns c0, c2, .{500,1000}…$/);
  });

  test('of a heading with more columns than the maximum are rejected', async () => {
    const columns = `a,b${','.repeat(MAX_COLUMNS - 2)}`;
    expect(await csvOf(`${columns}\n1,2${','.repeat(MAX_COLUMNS - 2)}`, 1_000)).toHaveLength(1);
    await expect(csvOf(`${columns},\n`, 1_000)).rejects.toThrow('The heading has more than 2,000 columns');
    const detecting = { ...COLUMNS, separator: 'detect' } as const;
    const reading = all(readCsvRows(Readable.from([`${columns};\n`]), detecting));
    await expect(reading).rejects.toThrow('The heading has more than 2,000 columns');
  });

  test('with more cells than the heading are not split, and are reported with their number of cells', async () => {
    const split = jest.spyOn(String.prototype, 'split');
    const commas = ','.repeat(90_000);
    const rows = await csvOf(`a,b\n1,2\nx${commas}\n"x,""\n,",2${commas}\nx"${commas}y\n"3",4`, 1_000);
    const longest = Math.max(...split.mock.contexts.map((text) => String(text).length));
    split.mockRestore();
    expect(rows).toEqual([
      { line: 2, cells: { a: '1', b: '2' } },
      { line: 3, reason: 'it has 90001 cells, and the heading has 2' },
      { line: 4, reason: 'it has 90002 cells, and the heading has 2' },
      // Its quotes are misplaced, too, which the parser would report.
      { line: 6, reason: 'it has 90001 cells, and the heading has 2' },
      { line: 7, cells: { a: '3', b: '4' } },
    ]);
    expect(longest).toBeLessThan(100);
  });

  test.each([';', '\t', ','] as const)(
    'separated by %j are read with the separator of the heading',
    async (separator) => {
      const rows = [
        ['"b"', 'c', 'a'],
        ['1,5', '"x\n;,y"', '"2;3"'],
        ['', '', ''],
      ];
      const text = rows
        .map((row) =>
          row.map((cell) => (separator === ',' && cell === '1,5' ? '"1,5"' : cell)).join(separator),
        )
        .join('\r\n');
      const columns = { ...COLUMNS, optional: ['c', 'd'], separator: 'detect' } as const;
      const read = await all(readCsvRows(Readable.from(chunksOf(Buffer.from(text), 3)), columns));
      expect(read).toEqual([{ line: 2, cells: { a: '2;3', b: '1,5', c: 'x\n;,y' } }]);
    },
  );

  test('whose heading has the columns with another separator than the given one are not read', async () => {
    const read = (separator: ',' | ';' | 'detect', text: string) =>
      all(readCsvRows(Readable.from([text]), { ...COLUMNS, separator }));
    await expect(read(';', 'a,b\n1,2')).rejects.toThrow('separated by ",", and ";" is expected');
    await expect(read('detect', 'a|b\n1|2')).rejects.toThrow('separated by "|"');
    await expect(read('detect', 'a;c\n1;2')).rejects.toThrow('The heading lacks the column b.');
  });

  test('whose columns have other names in the heading are read by these, also to find the separator', async () => {
    const columns = { ...COLUMNS, separator: 'detect', names: { a: 'Betrag', b: 'Zweck, kurz' } } as const;
    const read = (text: string) => all(readCsvRows(Readable.from([text]), columns));
    expect(await read('Zweck, kurz;a;Betrag\n1;2;3')).toEqual([{ line: 2, cells: { a: '3', b: '1' } }]);
    await expect(read('a;b\n1;2')).rejects.toThrow('The heading lacks the columns Betrag, Zweck, kurz.');
    await expect(read('Betrag;Betrag;Zweck, kurz\n1;2;3')).rejects.toThrow('the column Betrag twice');
  });

  test('have only the columns that are allowed', async () => {
    const strict = { required: ['a'], allowsOthers: false } as const;
    await expect(all(readCsvRows(Readable.from(['a,b,c\n1,2,3']), strict))).rejects.toThrow(
      new FileError('The heading has the unknown columns b, c. Expected: a.'),
    );
    expect(await all(readCsvRows(Readable.from(['c,a\n1,2']), { ...strict, allowsOthers: true }))).toEqual([
      { line: 2, cells: { a: '2' } },
    ]);
  });
});

describe('JSON lines', () => {
  test('end at a line feed only, and are at most 100,000 bytes long', async () => {
    const text = `{"a":"\u2028\u2029\u0085"}\r\n\n \r{"b":\r1}\n{"c":"${'x'.repeat(MAX_ROW_BYTES)}"}\n{"d"\n2`;
    expect(await linesOf(text, 1_000)).toEqual([
      { line: 1, value: { a: '\u2028\u2029\u0085' } },
      { line: 3, value: { b: 1 } },
      { line: 4, reason: 'it has more than 100,000 bytes' },
      { line: 5, reason: 'it is no JSON' },
      { line: 6, value: 2 },
    ]);
  });

  test('of which none is an object are no JSON lines', async () => {
    await expect(linesOf('[\n1,\nnull\n]\n')).rejects.toThrow(FileError);
    expect(await linesOf('')).toEqual([]);
  });
});

describe('a process with a heap of 24 MB reads', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'carecover-import-files-'));
    buildSync({
      entryPoints: [__dirname],
      outfile: join(folder, 'readers.cjs'),
      bundle: true,
      platform: 'node',
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Reads a file of `start`, some 50 MB of `part`, and `end` in another process. Returns what it printed: its rows, at most five, or its error. */
  function readInChild(reader: string, start: string, part: string, end: string): unknown {
    const program = `
      const readers = require('./readers.cjs');
      const [reader, start, part, end] = ${JSON.stringify([reader, start, part, end])};
      function* chunks() {
        yield start;
        const chunk = part.repeat(65_536 / part.length);
        for (let bytes = 0; bytes < 50_000_000; bytes += chunk.length) yield chunk;
        yield end;
      }
      const input = require('node:stream').Readable.from(chunks(), { highWaterMark: 1 });
      (async () => {
        const rows = [];
        for await (const row of readers[reader](input, { required: ['a', 'b'] })) if (rows.length < 5) rows.push(row);
        return rows;
      })().catch((error) => error.message).then((result) => console.log(JSON.stringify(result)));`;
    const script = join(folder, 'read.cjs');
    writeFileSync(script, program);
    return JSON.parse(
      execFileSync(process.execPath, ['--max-old-space-size=24', script], { encoding: 'utf8' }),
    );
  }
  const tooLong = (line: number) => ({ line, reason: 'it has more than 100,000 bytes' });
  const last = { line: 3, cells: { a: '1', b: '2' } };

  test.each([
    ['a row of commas', 'readCsvRows', 'a,b\n', ',', '\n1,2', [last]],
    ['a row of commas and more', 'readCsvRows', 'a,b\n', ',', 'x\n1,2', [tooLong(2), last]],
    ['rows of commas', 'readCsvRows', 'a,b\n', ',\n', '1,2', [{ ...last, line: expect.any(Number) }]],
    ['empty rows', 'readCsvRows', 'a,b\n', '\n', '1,2', [{ ...last, line: expect.any(Number) }]],
    ['a quoted cell', 'readCsvRows', 'a,b\n"', 'x', '",1\n1,2', [tooLong(2), last]],
    [
      'a quoted cell of many lines',
      'readCsvRows',
      'a,b\n"',
      '\n',
      '",1\n1,2',
      [
        { line: 2, reason: expect.stringMatching(/100,000 bytes; the row ends on line \d+$/) },
        { ...last, line: expect.any(Number) },
      ],
    ],
    [
      'a quoted cell without an end',
      'readCsvRows',
      'a,b\n"',
      'x',
      '\n1,2',
      'A quoted cell of the row that starts here has no closing quote.',
    ],
    [
      'a heading',
      'readCsvRows',
      '',
      'a',
      '\n1,2',
      "The heading can't be read: it has more than 100,000 bytes.",
    ],
    [
      'a line of JSON',
      'readJsonLines',
      '{}\n',
      '[',
      '\n{}',
      [{ line: 1, value: {} }, tooLong(2), { line: 3, value: {} }],
    ],
  ])('%s of 50 MB', (_name, reader, start, part, end, expected) => {
    expect(readInChild(reader, start, part, end)).toEqual(expected);
  });
});
