import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, PortChooser } from './ports';
import { localSettings } from './settings';
import { chooseStackPorts } from './stack-ports';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-stack-ports-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a port that a setting names is not chosen for a server that had it at the last start', async () => {
  const [port, other] = [await freePort(), await freePort()];
  const file = join(folder, 'ports.json');
  writeFileSync(file, JSON.stringify({ gateway: port, nats: other }));
  const chooser = new PortChooser(join(folder, 'reserved'));
  const { gateways, servers } = await chooseStackPorts({
    chooser,
    file,
    settings: localSettings({ CARECOVER_NATS_PORT: String(port) }).ports,
    replicas: 1,
    separateWorkers: false,
    usual: false,
  });
  chooser.release();
  expect(servers.nats).toBe(port);
  expect(gateways[0]?.port).not.toBe(port);
});
