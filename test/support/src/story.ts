/**
 * A claim's way from its submission to its settlement as a caller tells it: every write under a key of its own, which stays the
 * same however often the write is repeated, and each repeated until it is answered.
 */
import type { Claim, Remittance, Settlement } from '@carecover/client';
import { untilAnswered } from './persistence';
import type { Covered, World } from './world';

export const STEPS = ['submit', 'adjudicate', 'remit', 'settle'] as const;
export type Step = (typeof STEPS)[number];

/** What the payer of a story pays, minor units. */
const PAID = 300_000;

/** What is recorded of a claim by each step, and what its project is told, beside the remittance's own event. */
const TOLD = {
  submit: { facts: ['created', 'validated', 'submitted'], events: ['claim.submitted'] },
  adjudicate: { facts: ['partially_approved'], events: ['claim.partially_approved'] },
  remit: { facts: ['remittance_recorded'], events: [] },
  settle: { facts: ['settled', 'reconciled'], events: ['claim.settled'] },
} as const;

const until = (last: Step) => STEPS.slice(0, STEPS.indexOf(last) + 1);
export const factsAfter = (last: Step): string[] => until(last).flatMap((step) => TOLD[step].facts);
export const eventsAfter = (last: Step): string[] => until(last).flatMap((step) => TOLD[step].events);

export class Story {
  private readonly key: Readonly<Record<Step, string>> = {
    submit: crypto.randomUUID(),
    adjudicate: crypto.randomUUID(),
    remit: crypto.randomUUID(),
    settle: crypto.randomUUID(),
  };
  private readonly input;
  private readonly advice;
  private readonly statement;

  /** @param patienceMs how long each write is repeated */
  constructor(
    private readonly world: World,
    readonly claimable: Covered,
    private readonly patienceMs = 120_000,
  ) {
    this.input = world.claimInput(claimable);
    this.advice = world.remittanceInput([]);
    this.statement = world.settlementInput('', PAID);
  }

  /** By which its claim is found, also where it was made again. */
  get reference(): string {
    return this.input.provider_claim_reference;
  }

  submit(): Promise<Claim> {
    return this.write('submit', (options) => this.world.client.claims.submit(this.input, options));
  }

  adjudicate({ id }: Pick<Claim, 'id'>): Promise<Claim> {
    return this.write('adjudicate', (options) =>
      this.world.client.claims.adjudicate(id, this.world.adjudication(), options),
    );
  }

  remit({ id }: Pick<Claim, 'id'>): Promise<Remittance> {
    const input = { ...this.advice, allocations: [{ claim_id: id, paid_amount: PAID }] };
    return this.write('remit', (options) => this.world.client.remittances.create(input, options));
  }

  settle({ id }: Pick<Remittance, 'id'>): Promise<Settlement> {
    const input = { ...this.statement, remittance_id: id };
    return this.write('settle', (options) => this.world.client.settlements.create(input, options));
  }

  /** Tells it from the beginning to `last`, and gives the claim's id. */
  async tell(last: Step): Promise<string> {
    const claim = await this.submit();
    if (last === 'submit') return claim.id;
    await this.adjudicate(claim);
    if (last === 'adjudicate') return claim.id;
    const remittance = await this.remit(claim);
    if (last === 'settle') await this.settle(remittance);
    return claim.id;
  }

  private write<T>(step: Step, call: Parameters<typeof untilAnswered<T>>[0]): Promise<T> {
    return untilAnswered(call, { idempotencyKey: this.key[step], patienceMs: this.patienceMs });
  }
}
