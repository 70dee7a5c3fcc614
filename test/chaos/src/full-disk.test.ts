import { readFileSync, readdirSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { execSync } from 'node:child_process';
import { useWorld, WITHOUT_RETRIES } from '@carecover/test-support';
import { mountSmallDisk, type SmallDisk } from '@carecover/local/testing';
let disk: SmallDisk;
const printed: string[] = [];
const options: any = { print: (line: string) => { printed.push(line); console.info(Date.now(), line)}, freeSpace: async () => 1e12 };
beforeAll(async () => {
  disk = await mountSmallDisk(500e6);
  options.homeFolder = join(disk.path, 'home');
  mkdirSync(options.homeFolder);
});
const running = useWorld(options);
afterAll(async () => { await disk.unmount(); });

test('full disk', async () => {
  const { world, stack } = running;
  process.stderr.write(execSync(`df -m ${disk.path}; du -sm ${stack.home.folder}/*`, { encoding: 'utf8' }));
  const pids = () => Object.fromEntries([...(stack as any).processes.values(), ...Object.values(stack.servers)].map((p: any) => [p.name, p.pid]));
  const before = pids();
  const first = await world.createSubmittedClaim();
  const counts = new Map<string, number>();
  let phase = 'calm';
  let stopped = false;
  const attempt = async (name: string, call: () => Promise<unknown>) => {
    while (!stopped) {
      const t = Date.now();
      const outcome = await call().then(() => 'ok', (e: any) => `${e.status ?? e.name} ${e.code ?? e.message}`);
      const key = `${phase} ${name} ${outcome}`;
      if (!counts.has(key)) process.stderr.write(`${new Date().toISOString()} ${key} ${Date.now() - t} ms\n`);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      await sleep(50);
    }
  };
  const loops = [
    attempt('read', () => world.client.claims.retrieve(first.id, WITHOUT_RETRIES as any)),
    attempt('eligibility', async () => world.client.eligibility.check({ member_reference: 'm', service_code: 'psy-session-50' } as any, WITHOUT_RETRIES as any)),
    attempt('adjudicate', async () => world.client.claims.adjudicate(first.id, world.adjudicationInput(), WITHOUT_RETRIES as any)),
    attempt('coverage', async () => world.client.coverages.record(await (world as any).coverageInput?.() ?? {
        source_contract_reference: 'contract:1', external_coverage_reference: world.uniqueReference('policy'), source_version: '1', tenant_reference: 'payer:one', member_reference: world.uniqueReference('member'), service_code: 'psy-session-50', plan_name: 'Plan', status: 'active', currency: 'KES', amount_limit: 500000, remaining_sessions: 10, authorization_required: true, effective_from: '2020-01-01T00:00:00Z', effective_until: '2040-01-01T00:00:00Z' } as any, WITHOUT_RETRIES as any)),
  ];
  await sleep(2000);
  phase = 'full';
  await disk.fill();
  for (let i = 0; i < 40; i++) { await sleep(1000); await disk.fill(); }
  process.stderr.write(execSync(`df -m ${disk.path}; tail -n 15 ${stack.home.folder}/logs/postgresql.log; ls -la ${stack.home.folder}/logs`, { encoding: 'utf8' }));
  process.stderr.write(JSON.stringify([before, pids()]) + '\n');
  phase = 'freed';
  const freedAt = Date.now();
  await disk.empty();
  await sleep(60000);
  phase = 'later';
  await sleep(5000);
  stopped = true;
  await Promise.all(loops);
  process.stderr.write(JSON.stringify([...counts], null, 1));
  process.stderr.write(JSON.stringify(pids()) + '\n');
  execSync(`rm -rf /tmp/fd; cp -r ${stack.home.folder}/logs /tmp/fd`);
  process.stderr.write(printed.join('\n'));
}, 400000);
