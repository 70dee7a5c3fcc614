import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { FileError } from '@carecover/import-files';
import { type BankFile, bankFileInMemory, findBankFile } from './bank-file';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bank-file-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const MAXIMUM = 10_000_000;

/** Reads a file from the disk and from memory, each twice. */
async function read(name: string, bytes: Buffer) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  const fromDisk = await readTwice(await findBankFile(path));
  expect(await readTwice(await bankFileInMemory(name, bytes, MAXIMUM))).toEqual(fromDisk);
  return fromDisk;
}

async function readTwice(file: BankFile) {
  const contents: string[] = [];
  for (const _ of [1, 2]) {
    const chunks: Buffer[] = [];
    for await (const chunk of file.open()) chunks.push(chunk);
    contents.push(Buffer.concat(chunks).toString());
  }
  expect(contents[1]).toBe(contents[0]);
  return { name: file.name, content: contents[0] };
}

/** Returns a zip archive with the given files, with Python, which every system of development has. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const path = join(folder, 'made.zip');
  const program =
    'import json, sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:\n  for name, text in json.load(sys.stdin).items(): z.writestr(name, text)\n  ';
  execFileSync('python3', ['-c', program, path], { input: JSON.stringify(files) });
  return readFileSync(path);
}

const TEXT = '<Document/>'.repeat(10_000);

test('a file that is not compressed, a gzip file and an archive give the same bytes each time', async () => {
  expect(await read('a.xml', Buffer.from(TEXT))).toEqual({ name: 'a.xml', content: TEXT });
  expect(await read('a.xml.gz', gzipSync(TEXT))).toEqual({ name: 'a.xml', content: TEXT });
  const archive = zip({ '__MACOSX/._b.xml': 'x', 'folder/b.xml': TEXT, 'read.txt': 'x' });
  expect(await read('a.zip', archive)).toEqual({ name: 'b.xml', content: TEXT });
  // The first bytes decide, not the name.
  expect(await read('renamed.xml', gzipSync(TEXT))).toEqual({ name: 'renamed.xml', content: TEXT });
  expect(await read('empty.csv', Buffer.alloc(0))).toEqual({ name: 'empty.csv', content: '' });
});

test.each([
  ['a gzip file that is cut', () => gzipSync(TEXT).subarray(0, 60)],
  [
    'a gzip file with other bytes',
    () => Buffer.concat([gzipSync(TEXT).subarray(0, 20), Buffer.alloc(100, 7)]),
  ],
  ['an archive that is cut', () => zip({ 'b.xml': TEXT }).subarray(0, 60)],
  ['an archive without a bank file', () => zip({ 'read.txt': 'x' })],
  ['an archive with two bank files', () => zip({ 'b.xml': 'x', 'c.csv': 'x' })],
  [
    'an archive with many files',
    () => zip(Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`${n}.txt`, 'x']))),
  ],
  [
    'an archive whose sizes are wrong',
    () => {
      const archive = zip({ 'b.xml': TEXT });
      const short = deflateRawSync('<Document/>');
      short.copy(archive, 35);
      return archive;
    },
  ],
])('%s is rejected as a file that can’t be read', async (_name, bytes) => {
  await expect(read('rejected', bytes())).rejects.toThrow(FileError);
  const inMemory = async () => readTwice(await bankFileInMemory('rejected', bytes(), MAXIMUM));
  await expect(inMemory()).rejects.toThrow(FileError);
});

test('what unpacks to more than the maximum is rejected without reading the rest', async () => {
  const path = join(folder, 'large');
  for (const bytes of [gzipSync(Buffer.alloc(2_000_000)), zip({ 'a.xml': ' '.repeat(2_000_000) })]) {
    writeFileSync(path, bytes);
    const file = await findBankFile(path, 100_000);
    let read = 0;
    const all = async () => {
      for await (const chunk of file.open()) read += chunk.length;
    };
    await expect(all()).rejects.toThrow(new FileError('The file has more than 100,000 bytes, the maximum.'));
    expect(read).toBeLessThanOrEqual(100_000);
  }
});
