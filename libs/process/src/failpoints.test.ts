import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enableFailpoints, failpoint } from './failpoints';

test.each(['production', 'local'])('they can not be enabled in %s mode', (mode) => {
  expect(() => enableFailpoints('/tmp/failpoint', mode)).toThrow('test mode only');
  expect(() => failpoint('command.accepted')).not.toThrow();
});

describe('in test mode', () => {
  let folder: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'failpoints-'));
    file = join(folder, 'failpoint');
    enableFailpoints(file, 'test');
  });
  afterAll(() => {
    enableFailpoints(join(folder, 'none'), 'test');
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['command.accepted', true],
    ['command.accepted:createClaim', true],
    ['command.accepted:reverseClaim', false],
    ['command.prepared', false],
  ])('a file with %s ends a process at command.accepted of createClaim: %s', (name, ends) => {
    const kill = jest.spyOn(process, 'kill').mockReturnValue(true);
    writeFileSync(file, name);
    failpoint('command.accepted', 'createClaim');
    expect(kill.mock.calls).toEqual(ends ? [[process.pid, 'SIGKILL']] : []);
    expect(existsSync(file)).toBe(!ends);
    failpoint('command.accepted', 'createClaim');
    expect(kill.mock.calls).toHaveLength(ends ? 1 : 0);
    kill.mockRestore();
    rmSync(file, { force: true });
  });
});
