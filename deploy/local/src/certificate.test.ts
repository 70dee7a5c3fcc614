import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateIn } from './certificate';
import { freePort } from './ports';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carecover-tls-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(['127.0.0.1', 'localhost'])(
  'a client that trusts the certificate authority connects to %s over TLS',
  async (host) => {
    const paths = await certificateIn(join(folder, 'tls'));
    const server = createServer(
      { cert: readFileSync(paths.leaf), key: readFileSync(paths.key) },
      (_, response) => response.end('hello'),
    );
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    try {
      const status = await new Promise((resolve, reject) => {
        get(
          `https://${host}:${port}`,
          { ca: readFileSync(paths.authority), agent: false, family: 4 },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        ).once('error', reject);
      });
      expect(status).toBe(200);
    } finally {
      server.close();
    }
  },
);

test('the next start keeps the certificate, and only its owner can read the key', async () => {
  const paths = await certificateIn(join(folder, 'tls'));
  const before = readFileSync(paths.leaf, 'utf8');
  expect(readFileSync((await certificateIn(join(folder, 'tls'))).leaf, 'utf8')).toBe(before);
  expect(statSync(paths.key).mode & 0o077).toBe(0);
});
