import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ErasureJournal } from './erasure-journal';

const SECRET = 'a secret of the tests with enough characters';

test('a journal without a file has no entries, but its folder must exist: its volume can be missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'carecover-journal-'));
  const read = () => new ErasureJournal(join(folder, 'erasures.jsonl'), SECRET).read();
  expect(await read()).toEqual({ entries: [], unreadable: 0 });
  await rm(folder, { recursive: true });
  await expect(read()).rejects.toThrow("The erasure journal can't be used: ENOENT.");
});
