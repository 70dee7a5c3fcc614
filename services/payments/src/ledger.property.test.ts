import { ApiError } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { fc } from '@carecover/testing';
import { createTestDatabase, type TestDatabase, testSize } from '@carecover/testing/servers';
import { Bookkeeper, WAIT_MS } from './testing/bookkeeper';
import { LedgerModel } from './testing/ledger-model';
import { verifyLedger } from './verify';

jest.setTimeout(900_000);

const SEQUENCES = testSize({ ci: 12, soak: 200 });
const COMMANDS = 30;
const CLAIMS = 4;

let database: TestDatabase;
let sql: Sql;
let admin: Sql;

beforeAll(async () => {
  database = await createTestDatabase({ services: ['payments'] });
  sql = connectPostgres(database.url('payments'), 4, 'test');
  admin = connectPostgres(database.adminUrl, 2, 'test');
});
afterAll(async () => {
  await Promise.all([sql.end(), admin.end()]);
  await database.drop();
});

/** A random index, used modulo the number of candidates, so that every sequence of commands is valid. */
const pick = fc.nat(1_000);
const command = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('adjudicate' as const), claim: pick, payer: fc.nat(60) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('advise' as const),
      shares: fc.array(fc.tuple(pick, fc.integer({ min: 1, max: 40 })), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('observe' as const),
      remittance: pick,
      part: fc.constantFrom('rest', 'half', 'more'),
      foreign: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('undo' as const), remittance: pick, observation: pick }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reverse' as const), claim: pick }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 20 }) }),
  },
);
type Step = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** By how much the database's clock is ahead of the real time. It stays ahead for the next sequence of commands: the clock must not be set back. */
let passedMs = 0;

/** Executes one sequence of commands on the service and on the model of the ledger. */
class Run {
  readonly books = new Bookkeeper(sql);
  readonly model = new LedgerModel();
  private readonly claimIds: string[] = [];

  async begin(): Promise<void> {
    for (let count = 0; count < CLAIMS; count++) {
      const id = await this.books.adjudicate(50);
      this.claimIds.push(id);
      this.model.claims.set(id, { approved: 50, version: 1, reversed: false, remitted: 0, settled: 0 });
    }
  }

  async step(step: Step): Promise<void> {
    switch (step.do) {
      case 'adjudicate':
        return this.adjudicate(this.claimAt(step.claim), step.payer);
      case 'reverse':
        return this.reverseClaim(this.claimAt(step.claim));
      case 'advise':
        return this.advise(new Map(step.shares.map(([claim, amount]) => [this.claimAt(claim), amount])));
      case 'observe':
        return this.observe(step.remittance, step.part, step.foreign);
      case 'undo':
        return this.undo(step.remittance, step.observation);
      case 'pass':
        return this.pass(step.days);
    }
  }

  private async adjudicate(id: string, payer: number): Promise<void> {
    const claim = this.model.claim(id);
    const rejected = claim.reversed || claim.remitted > 0 ? 'invalid_state' : null;
    const version = claim.version + 1;
    expect(await outcome(this.books.adjudicate(payer, { claimId: id, version }))).toBe(rejected);
    if (rejected === null) Object.assign(claim, { approved: payer, version });
  }

  private async reverseClaim(id: string): Promise<void> {
    const claim = this.model.claim(id);
    const rejected = !claim.reversed && claim.approved === 0 ? 'invalid_state' : null;
    expect(await outcome(this.books.reverseClaim(id))).toBe(rejected);
    if (rejected === null) claim.reversed = true;
  }

  private async advise(shares: ReadonlyMap<string, number>): Promise<void> {
    const rejected = this.model.rejectionOf(shares);
    let id = '';
    const work = this.books.advise([...shares]).then((made) => {
      id = made;
    });
    expect(await outcome(work)).toBe(rejected);
    if (rejected === null) this.model.advise(id, shares, (await this.now()) + WAIT_MS);
  }

  private async observe(pickOf: number, part: string, foreign: boolean): Promise<void> {
    const [id, remittance] = at([...this.model.remittances], pickOf);
    if (id === undefined || remittance === undefined) return;
    const seen = [...remittance.observations.values()].filter((one) => !one.reversed && !one.foreign);
    const rest =
      [...remittance.shares.values()].reduce((sum, share) => sum + share, 0) -
      seen.reduce((sum, one) => sum + one.amount, 0);
    const amount = Math.max(1, part === 'rest' ? rest : part === 'half' ? Math.floor(rest / 2) : rest + 7);
    const settlement = await this.books.observe(id, amount, { currency: foreign ? 'EUR' : 'KES' });
    this.model.observe(id, settlement.id, amount, foreign, await this.now());
  }

  private async undo(pickOf: number, observation: number): Promise<void> {
    const [id, remittance] = at([...this.model.remittances], pickOf);
    if (id === undefined || remittance === undefined) return;
    const [settlementId, known] = at([...remittance.observations], observation);
    if (settlementId === undefined || known === undefined) return;
    const work = this.books.reverse({ id: settlementId });
    expect(await outcome(work)).toBe(known.reversed ? 'invalid_state' : null);
    if (!known.reversed) this.model.reverseObservation(id, settlementId, await this.now());
  }

  private async pass(days: number): Promise<void> {
    passedMs += days * 24 * 60 * 60 * 1000;
    await database.setClockOffset(passedMs);
    this.model.pass(await this.now());
    const due = await sql<{ tenant: string; remittanceId: string }[]>`
      select project_id as tenant, id as "remittanceId" from remittances
      where status = 'received' and deadline <= platform.now()`;
    for (const which of due) await this.books.activities.review(which);
  }

  /** Compares the balances of claims and the statuses of remittances in the service with those of the model. */
  async compare(): Promise<void> {
    for (const [id, { approved, reversed, remitted, settled }] of this.model.claims) {
      expect(await this.books.balances(id)).toEqual({
        payer_liability: reversed ? 0 : approved - remitted,
        remitted: remitted - settled,
        cash_observed: settled,
        recoverable: reversed ? settled : 0,
      });
      expect(remitted).toBeLessThanOrEqual(approved);
    }
    for (const [id, { status, observations }] of this.model.remittances) {
      expect(await this.books.status(id)).toBe(status);
      for (const [settlementId, { reversed, settles }] of observations) {
        const expected = reversed ? 'reversed' : settles === null ? 'unmatched' : 'matched';
        expect((await this.books.settlement(settlementId)).status).toBe(expected);
      }
    }
    expect(await this.books.sums()).toEqual({ KES: 0 });
  }

  private claimAt(pickOf: number): string {
    return this.claimIds[pickOf % CLAIMS] ?? '';
  }

  private async now(): Promise<number> {
    const [row] = await sql<{ now: Date }[]>`select platform.now() as now`;
    return row?.now.getTime() ?? 0;
  }
}

function at<K, V>(entries: readonly (readonly [K, V])[], index: number): readonly [K?, V?] {
  return entries[index % Math.max(1, entries.length)] ?? [];
}

/** Returns the code of the API error with which a command was rejected; null if it succeeded. */
async function outcome(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

test('after any sequence of commands the ledger equals the model and no claim exceeds its approved amount', async () => {
  const sequences = fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS });
  await fc.assert(
    fc.asyncProperty(sequences, async (steps) => {
      const run = new Run();
      await run.begin();
      for (const step of steps) await run.step(step);
      await run.compare();
      expect((await verifyLedger(admin, { claims: false })).differences).toEqual([]);
    }),
    { numRuns: SEQUENCES, endOnFailure: true },
  );
});
