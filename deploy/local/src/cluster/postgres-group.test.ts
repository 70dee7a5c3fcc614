import { mkdir } from 'node:fs/promises';
import { freePort } from '../ports';
import { ADMIN_ROLE, databaseUrl, withConnection } from '../postgres';
import { freeze } from '../process-tree';
import { createRunFolder, type RunFolder } from '../run-folder';
import { Balancer } from './balancer';
import { PostgresGroup } from './postgres-group';

const PASSWORD = 'a secret';
const START_TIMEOUT_MS = 120_000;

let run: RunFolder;
let balancer: Balancer;
let primaryPort: number;
let group: PostgresGroup;
const resumes: (() => void)[] = [];

beforeAll(async () => {
  run = await createRunFolder();
  primaryPort = await freePort();
  balancer = await Balancer.listen(primaryPort);
  const logs = `${run.path}/logs`;
  await mkdir(logs);
  group = new PostgresGroup({
    children: run.children,
    folder: run.path,
    logs,
    ports: [await freePort(), await freePort(), await freePort()],
    primaryPort,
    balancer,
    passwords: { admin: PASSWORD, betweenServers: 'another-secret' },
    print: () => undefined,
  });
  await group.start();
  await query('create table facts (fact int)');
}, START_TIMEOUT_MS);

afterEach(() => {
  jest.restoreAllMocks();
  for (const resume of resumes.splice(0)) resume();
});

afterAll(async () => {
  await Promise.all(group.members.map(({ supervised }) => supervised.stop()));
  await run.children.close();
  await balancer.close();
}, START_TIMEOUT_MS);

/** Runs a statement on the primary, through the balancer. */
const query = (text: string) =>
  withConnection(
    databaseUrl({ port: primaryPort, role: ADMIN_ROLE, password: PASSWORD, database: ADMIN_ROLE }),
    (client) => client.query(text),
  );

function suspend(name: string): void {
  const pid = group.members.find((member) => member.name === name)?.supervised.pid;
  if (pid === undefined) throw new Error(`${name} does not run`);
  resumes.push(freeze(pid));
}

async function expectCommits(fact: number): Promise<void> {
  await query(`insert into facts values (${fact})`);
  expect((await query('select fact from facts order by fact desc limit 1')).rows).toEqual([{ fact }]);
}

test('no standby is promoted while one of them does not respond, and the primary continues', async () => {
  suspend('postgresql-3');
  await expect(group.promote()).rejects.toThrow('both standbys must respond. Start the missing one first.');
  expect(group.primary).toBe('postgresql-1');
  await expectCommits(1);
}, 60_000);

test('no standby is promoted if one stops after the primary was killed, and the primary starts again', async () => {
  await group.waitUntilStreaming(2);
  const setTargets = balancer.setTargets.bind(balancer);
  // The promotion removes the balancer's target after it has read the positions of the standbys for the first time.
  jest.spyOn(balancer, 'setTargets').mockImplementation((targets) => {
    if (targets.length === 0) suspend('postgresql-3');
    setTargets(targets);
  });
  await expect(group.promote()).rejects.toThrow('because one stopped meanwhile. postgresql-1 runs again.');
  expect(group.primary).toBe('postgresql-1');
  await expectCommits(2);
}, 60_000);

test('a promoted standby has every commit, and the old primary becomes a standby', async () => {
  await group.waitUntilStreaming(2);
  await expectCommits(3);
  const promoted = await group.promote();
  expect(promoted).not.toBe('postgresql-1');
  expect((await query('select fact from facts order by fact')).rows).toEqual([
    { fact: 1 },
    { fact: 2 },
    { fact: 3 },
  ]);
  await group.waitUntilStreaming(2);
  await expectCommits(4);
}, 120_000);
