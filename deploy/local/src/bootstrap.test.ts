import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY } from './home';

test('with Node alone and no network, one sentence says what is missing', () => {
  const clone = mkdtempSync(join(tmpdir(), 'carecover-bootstrap-'));
  try {
    for (const path of ['deploy/bootstrap.mjs', 'deploy/local/process'])
      cpSync(join(REPOSITORY, path), join(clone, path), { recursive: true });
    const root = { name: 'clone', version: '0.0.0', dependencies: { luxon: '3.7.2' } };
    const registry = 'http://127.0.0.1:1/';
    const luxon = {
      version: '3.7.2',
      resolved: `${registry}luxon/-/luxon-3.7.2.tgz`,
      integrity: 'sha512-AA==',
    };
    writeFileSync(join(clone, 'package.json'), JSON.stringify(root));
    writeFileSync(
      join(clone, 'package-lock.json'),
      JSON.stringify({ ...root, lockfileVersion: 3, packages: { '': root, 'node_modules/luxon': luxon } }),
    );
    const { status, stderr } = spawnSync(process.execPath, ['deploy/bootstrap.mjs', 'start'], {
      cwd: clone,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        HOME: clone,
        npm_config_registry: registry,
        npm_config_fetch_retries: '0',
      },
    });
    expect(stderr.replace(/^… .*\n/gm, '')).toMatch(
      /^The dependencies of package-lock\.json are missing in .*, and the npm registry can't be reached \(ECONNREFUSED\): connect .*\.\n$/,
    );
    expect(status).toBe(1);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
});
