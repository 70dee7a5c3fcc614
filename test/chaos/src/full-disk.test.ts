/**
 * Fills the disk with the database, the logs and the other files of a stack: first until PostgreSQL can't extend its tables, then until it
 * can't write its log and ends. Requests must succeed or get 503 meanwhile, no other process may end, and every request must succeed within
 * a minute after space is free. NATS has another disk.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallOptions, CarecoverError } from '@carecover/client';
import { eventually, mountSmallDisk, type SmallDisk } from '@carecover/testing/servers';
import { useWorld, WITHOUT_RETRIES } from '@carecover/testing/stack';
import { Client } from 'pg';

const DISK_BYTES = 300_000_000;
const PAUSE_MS = 50;
/** The number of successive successes of a call after which it works again. */
const SUCCESSES = 10;
const SUCCESS = 'success';
const UNAVAILABLE = '503, Retry-After: 1';
const SERVICES = ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks'] as const;

let disk: SmallDisk;
let natsFolder: string;
const printed: string[] = [];
const options = {
  homeFolder: '',
  print: (line: string) => void printed.push(line),
  freeSpace: async () => Number.POSITIVE_INFINITY,
};

beforeAll(async () => {
  disk = await mountSmallDisk(DISK_BYTES);
  natsFolder = mkdtempSync(join(tmpdir(), 'carecover-nats-'));
  options.homeFolder = join(disk.path, 'home');
  mkdirSync(options.homeFolder);
  // The file marks the folder as that of a stack, although it is not empty.
  writeFileSync(join(options.homeFolder, 'carecover-stack'), '');
  symlinkSync(natsFolder, join(options.homeFolder, 'nats'));
});
const running = useWorld(options);
afterAll(async () => {
  await disk.unmount();
  rmSync(natsFolder, { recursive: true });
});

/** The outcomes of a call that is repeated until it is stopped. */
class RepeatedCall {
  readonly outcomes: string[] = [];
  private isStopped = false;
  private readonly loop: Promise<void>;

  constructor(call: (options: CallOptions) => Promise<unknown>) {
    this.loop = this.repeat(call);
  }

  private async repeat(call: (options: CallOptions) => Promise<unknown>): Promise<void> {
    while (!this.isStopped) {
      this.outcomes.push(await outcomeOf(call(WITHOUT_RETRIES)));
      await sleep(PAUSE_MS);
    }
  }

  isUnavailable(): boolean {
    return this.outcomes.at(-1) === UNAVAILABLE;
  }

  succeeds(): boolean {
    const last = this.outcomes.slice(-SUCCESSES);
    return last.length === SUCCESSES && last.every((outcome) => outcome === SUCCESS);
  }

  count(outcome: string): number {
    return this.outcomes.filter((each) => each === outcome).length;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.loop;
  }
}

async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return SUCCESS;
  } catch (error) {
    if (!(error instanceof CarecoverError)) return String(error);
    return `${error.status}, Retry-After: ${error.retryAfterSeconds}`;
  }
}

const servicePids = () => SERVICES.map((name) => running.stack.part(name).pids);

/** Uses the space in PostgreSQL's log until PostgreSQL needs a new file, can't create it, and ends. */
async function fillWriteAheadLog(): Promise<void> {
  const client = new Client({ connectionString: running.stack.file.database_url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    for (;;) {
      await disk.fill();
      await client.query(
        `select pg_logical_emit_message(false, 'filler', repeat('x', 1000000)), pg_switch_wal()`,
      );
    }
  } catch {
    // The connection is lost: PostgreSQL has ended.
  } finally {
    await client.end();
  }
}

/** Counts the lines with a message in the log of a service. Temporal's SDK writes to the same file, so some lines can be mixed up. */
function countLines(service: string, message: string): number {
  const text = readFileSync(join(running.stack.home.logs, `${service}.log`), 'utf8');
  return text.split(`"msg":"${message}"`).length - 1;
}

const readProcessRecords = () =>
  JSON.parse(readFileSync(join(running.stack.home.folder, 'processes.json'), 'utf8')) as { pid: number }[];

test('while the disk is full every request succeeds or gets 503, no service ends, and within a minute everything works again', async () => {
  const { world, stack } = running;
  const { client } = world;
  const claim = await world.createSubmittedClaim();
  const pidsBefore = servicePids();
  const [readOfCare, readOfClaims, writeOfClaims, writeOfBenefits] = [
    new RepeatedCall((each) => client.practitioners.list({ limit: 1 }, each).then()),
    new RepeatedCall((each) => client.claims.retrieve(claim.id, each)),
    new RepeatedCall((each) => client.claims.adjudicate(claim.id, world.adjudicationInput(), each)),
    new RepeatedCall((each) =>
      client.coverages.record(world.coverageInput(world.uniqueReference('member')), each),
    ),
  ];
  const writes = [writeOfClaims, writeOfBenefits];
  const calls = [readOfCare, readOfClaims, ...writes];
  try {
    await eventually('all calls succeed', async () => calls.every((call) => call.succeeds()));
    await disk.fill();
    await eventually('writes get 503', async () => {
      await disk.fill();
      return writes.every((call) => call.isUnavailable());
    });
    await fillWriteAheadLog();
    for (let second = 0; second < 5; second++) {
      await disk.fill();
      await sleep(1_000);
    }
    await eventually('all calls get 503', async () => calls.every((call) => call.isUnavailable()));
    await disk.empty();
    await eventually('all calls succeed again', async () => calls.every((call) => call.succeeds()));
  } finally {
    await disk.empty();
    await Promise.all(calls.map((call) => call.stop()));
  }
  const outcomes = new Set(calls.flatMap((call) => call.outcomes));
  expect([...outcomes].sort()).toEqual([UNAVAILABLE, SUCCESS]);
  expect(servicePids()).toEqual(pidsBefore);
  const lines = (message: string) => SERVICES.map((service) => countLines(service, message));
  // The logs are on the full disk too, so a line can be missing.
  expect(lines('PostgreSQL is unavailable').filter((count) => count > 1)).toEqual([]);
  expect(lines('internal error')).toEqual(SERVICES.map(() => 0));
  expect(
    printed.filter((line) => !/^(postgresql |The running processes can't be recorded)/.test(line)),
  ).toEqual([]);
  await eventually('the new process of PostgreSQL is recorded', async () =>
    readProcessRecords().some(({ pid }) => pid === stack.database.pid),
  );
  const { updated_at } = await client.claims.retrieve(claim.id);
  const { events } = await client.claims.valuation(claim.id, { valuation_at: updated_at });
  const recorded = events.filter(({ type }) => type === 'partially_approved').length;
  expect(recorded).toBeGreaterThanOrEqual(writeOfClaims.count(SUCCESS));
  expect(recorded).toBeLessThanOrEqual(writeOfClaims.outcomes.length);
}, 300_000);
