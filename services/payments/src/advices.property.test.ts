import type { PaymentAdviceInput } from '@carecover/contract';
import { ApiError, newId } from '@carecover/domain';
import { connectPostgres, type Sql } from '@carecover/postgres';
import { fc } from '@carecover/testing';
import { createTestDatabase, type TestDatabase, testSize } from '@carecover/testing/servers';
import { payerBalancesResource } from './resources';
import { readPosition } from './store/bank-days';
import { listForwarding } from './store/payer-balances';
import { AdviceModel, type ModelAdvice, type ModelLines } from './testing/advice-model';
import { Bookkeeper } from './testing/bookkeeper';
import { deliver, type Enqueued, inOrderOfLedger } from './testing/delivery-model';
import { verifyLedger } from './verify';

jest.setTimeout(testSize({ ci: 900_000, soak: 24 * 3_600_000 }));

const HISTORIES = testSize({ ci: 40, soak: 100_000 });
const COMMANDS = 12;
const CLAIMS = 3;
const APPROVED = 50;
const PAYERS = ['sha', 'aar'];

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

/** A random index, used modulo the number of candidates, so that every history is valid. */
const pick = fc.nat(1_000);
const amounts = (maxLength: number) =>
  fc.array(fc.tuple(pick, fc.integer({ min: 1, max: 30 })), { maxLength });
const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('advise' as const),
      pays: amounts(3),
      takes: amounts(2),
      fee: fc.integer({ min: -3, max: 3 }),
      deducts: fc.integer({ min: 0, max: 40 }),
      payer: fc.constantFrom(...PAYERS),
      day: fc.integer({ min: 1, max: 3 }),
      replaces: fc
        .tuple(fc.integer({ min: 0, max: 3 }), pick)
        .map(([roll, advice]) => (roll === 0 ? advice : null)),
      error: fc.integer({ min: 0, max: 19 }).map((roll) => Number(roll === 0)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('observe' as const),
      advice: pick,
      part: fc.constantFrom('rest', 'rest', 'half', 'more'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('undo' as const), advice: pick, settlement: pick }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('withdraw' as const), advice: pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reverse' as const), claim: pick }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface Shown {
  readonly remitted: number;
  readonly settled: number;
}

/** Executes one history on the service and on the model, and remembers the model's amounts after each command. */
class History {
  readonly books = new Bookkeeper(sql);
  readonly model = new AdviceModel();
  private readonly claimIds: string[] = [];
  private readonly remittanceIds = new Map<ModelAdvice, string>();
  /** The amounts of all claims after the notification with the number, which is the last one of a command. */
  private readonly cutoffs: { readonly last: number; readonly amounts: Map<string, Shown> }[] = [];

  async begin(): Promise<void> {
    for (let count = 0; count < CLAIMS; count++) {
      const id = await this.books.adjudicate(APPROVED);
      this.claimIds.push(id);
      this.model.claims.set(id, { approved: APPROVED, reversed: false, remitted: 0, moved: 0, settled: 0 });
    }
  }

  async execute(command: Command): Promise<void> {
    await this.act(command);
    for (const advice of this.model.advices.filter(({ net }) => net < 0).toReversed())
      await this.books.activities.review({
        tenant: this.books.tenant,
        remittanceId: this.remittanceOf(advice),
      });
    const [row] = await sql<{ last: number }[]>`
      select coalesce(max(sequence), 0)::bigint as last from claims_notifications
      where input ->> 'tenant' = ${this.books.tenant}`;
    const amounts = [...this.model.claims].map(
      ([id, { remitted, settled }]) => [id, { remitted, settled }] as const,
    );
    this.cutoffs.push({ last: row?.last ?? 0, amounts: new Map(amounts) });
  }

  private async act(command: Command): Promise<void> {
    switch (command.do) {
      case 'advise':
        return this.advise(command);
      case 'observe':
        return this.observe(command.advice, command.part);
      case 'undo':
        return this.undo(command.advice, command.settlement);
      case 'withdraw':
        return this.withdraw(command.advice);
      case 'reverse':
        return this.reverseClaim(at(this.claimIds, command.claim) ?? '');
    }
  }

  private async advise(command: Extract<Command, { do: 'advise' }>): Promise<void> {
    const { pays, takes, fee, deducts, payer, error, day } = command;
    const replaced = command.replaces === null ? undefined : at(this.model.advices, command.replaces);
    const lines = (drawn: readonly (readonly [number, number])[]) =>
      new Map(drawn.map(([claim, amount]) => [at(this.claimIds, claim) ?? '', amount]));
    const paid = lines(pays);
    const taken = lines(takes);
    const deducted = Math.min(deducts, this.model.balanceOf(payer) + 2);
    const adjusted = fee - deducted;
    if (paid.size + taken.size === 0 && adjusted === 0) return;
    const net = sum(paid.values()) - sum(taken.values()) + adjusted + error;
    const said: ModelLines = { pays: paid, takes: taken, net, deducts: deducted, payer, day, adjusted };
    const rejected =
      replaced === undefined ? this.model.rejectionOf(said) : this.model.replacementRejection(replaced, said);
    let made: { id: string; remittance_id: string } | undefined;
    const input: Partial<PaymentAdviceInput> & { readonly net: number } = {
      payer,
      received_at: `2026-01-0${day}T10:00:00Z`,
      allocations: [...paid].map(([claim_id, paid_amount]) => ({ claim_id, paid_amount })),
      recoveries: [...taken].map(([claim_id, amount]) => ({ claim_id, amount })),
      adjustments: [
        { kind: 'fee', amount: fee },
        { kind: 'forwarded_balance', amount: -deducted },
      ],
      net,
    };
    const work = (
      replaced === undefined ? this.books.adviceOf(input) : this.books.replace(replaced.id, input)
    ).then((advice) => {
      made = advice;
    });
    expect(await outcome(work)).toBe(rejected);
    if (made === undefined) return;
    if (replaced !== undefined) this.model.withdraw(replaced);
    this.model.advise(made.id, said);
    const advice = this.model.advices.at(-1);
    if (advice !== undefined) this.remittanceIds.set(advice, made.remittance_id);
  }

  private async observe(index: number, part: 'rest' | 'half' | 'more'): Promise<void> {
    const advice = at(this.model.advices, index);
    if (advice === undefined) return;
    if (advice.status === 'withdrawn') {
      expect(await outcome(this.books.observe(this.remittanceOf(advice), 1))).toBe('invalid_state');
      return;
    }
    const seen = advice.settlements.filter(({ reversed }) => !reversed).map(({ amount }) => amount);
    const rest = advice.net - sum(seen);
    const amount = Math.max(1, part === 'rest' ? rest : part === 'half' ? Math.floor(rest / 2) : rest + 7);
    const settlement = await this.books.observe(this.remittanceOf(advice), amount);
    this.model.observe(advice, settlement.id, amount);
  }

  private async undo(index: number, settlement: number): Promise<void> {
    const advice = at(this.model.advices, index);
    const known = at(advice?.settlements ?? [], settlement);
    if (advice === undefined || known === undefined) return;
    expect(await outcome(this.books.reverse(known))).toBe(known.reversed ? 'invalid_state' : null);
    if (!known.reversed) this.model.reverseSettlement(advice, known.id);
  }

  private async withdraw(index: number): Promise<void> {
    const advice = at(this.model.advices, index);
    if (advice === undefined) return;
    const rejected = this.model.withdrawalRejection(advice);
    expect(await outcome(this.books.withdraw(advice.id))).toBe(rejected);
    if (rejected === null) this.model.withdraw(advice);
  }

  private async reverseClaim(id: string): Promise<void> {
    expect(await outcome(this.books.reverseClaim(id))).toBe(null);
    this.model.claim(id).reversed = true;
  }

  /** Expects that claims records each claim's changes in the order of the ledger, in whatever order the notifications are delivered. */
  async compareDelivery(picks: readonly number[]): Promise<void> {
    const enqueued = await sql<Enqueued[]>`
      select remittance_id as "remittanceId", jsonb_build_object('kind', kind, 'causeId', cause_id, 'input', input) as notification
      from claims_notifications where input ->> 'tenant' = ${this.books.tenant} order by sequence`;
    expect(deliver(enqueued, picks)).toEqual(inOrderOfLedger(enqueued));
  }

  /** Compares the ledger, the statuses, the balances, and the amounts that claims shows at each cutoff with the model. */
  async compare(cutoff: number): Promise<void> {
    for (const [id, { approved, reversed, remitted, moved }] of this.model.claims) {
      expect(await this.books.balances(id)).toEqual({
        payer_liability: reversed ? 0 : approved - remitted,
        remitted: remitted - moved,
        cash_observed: moved,
        recoverable: reversed ? Math.max(0, moved) : 0,
      });
    }
    for (const advice of this.model.advices)
      expect([advice.id, await this.books.status(this.remittanceOf(advice))]).toEqual([
        advice.id,
        advice.status,
      ]);
    const { positions } = await readPosition(sql, this.books.tenant);
    for (const { advised, settled, advicesOpen, advicesSettled, settlements } of positions)
      expect([advised, settled, settled]).toEqual([advicesOpen, advicesSettled, settlements]);
    const { data } = payerBalancesResource(await listForwarding(sql, this.books.tenant));
    const open = PAYERS.map((payer) => ({ payer, to_deduct: this.model.balanceOf(payer) }))
      .filter(({ to_deduct }) => to_deduct > 0)
      .sort((one, other) => (one.payer < other.payer ? -1 : 1));
    expect(data.map(({ payer, to_deduct }) => ({ payer, to_deduct }))).toEqual(open);
    const known = at(this.cutoffs, cutoff);
    if (known !== undefined)
      for (const [id, amounts] of known.amounts) expect(await this.shown(id, known.last)).toEqual(amounts);
  }

  /** The amounts of a claim in the claims service after the notification with the number. */
  private async shown(claimId: string, last: number): Promise<Shown | undefined> {
    const [row] = await sql<Shown[]>`
      select coalesce(sum(remitted), 0)::bigint as remitted, coalesce(sum(settled), 0)::bigint as settled
      from (
        select (part ->> 'amount')::bigint as remitted, 0 as settled
        from claims_notifications, jsonb_array_elements(input -> 'allocations') as part
        where kind = 'remittance' and sequence <= ${last} and part ->> 'claimId' = ${claimId}
        union all
        select -(input ->> 'amount')::bigint, 0 from claims_notifications
        where kind = 'remittance_recovered' and sequence <= ${last} and input ->> 'claimId' = ${claimId}
        union all
        select -(part ->> 'amount')::bigint, 0
        from claims_notifications, jsonb_array_elements(input -> 'allocations') as part
        where kind = 'withdrawal' and sequence <= ${last} and part ->> 'claimId' = ${claimId}
        union all
        select (part ->> 'amount')::bigint, 0
        from claims_notifications, jsonb_array_elements(input -> 'recoveries') as part
        where kind = 'withdrawal' and sequence <= ${last} and part ->> 'claimId' = ${claimId}
        union all
        select 0, (part ->> 'amount')::bigint
        from claims_notifications, jsonb_array_elements(input -> 'amounts') as part
        where kind = 'settlement' and sequence <= ${last} and part ->> 'claimId' = ${claimId}
      ) change`;
    return row;
  }

  private remittanceOf(advice: ModelAdvice): string {
    return this.remittanceIds.get(advice) ?? newId('rem_');
  }
}

function at<T>(values: readonly T[], index: number): T | undefined {
  return values[index % Math.max(1, values.length)];
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
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

test('after any history of advices, deposits, reversals, withdrawals and replacements the ledger, the balances and what claims knew at any cutoff equal the model, and claims can record all of it in any order of delivery', async () => {
  const histories = fc.tuple(
    fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS }),
    pick,
    fc.array(fc.array(pick, { minLength: 1, maxLength: COMMANDS }), { minLength: 8, maxLength: 8 }),
  );
  await fc.assert(
    fc.asyncProperty(histories, async ([commands, cutoff, orders]) => {
      const history = new History();
      await history.begin();
      for (const each of commands) await history.execute(each);
      await history.compare(cutoff);
      for (const picks of orders) await history.compareDelivery(picks);
    }),
    { numRuns: HISTORIES, endOnFailure: true },
  );
  expect((await verifyLedger(admin, { claims: false })).differences).toEqual([]);
});
