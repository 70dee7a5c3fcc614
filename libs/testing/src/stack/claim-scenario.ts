/**
 * A claim scenario: runs a claim from its submission to its settlement as a correct client does. Each write has one idempotency key and is
 * repeated until it has a response.
 */
import type { Claim, ClaimId, Remittance, Settlement } from '@carecover/client';
import { retryUntilResponse } from './retrying';
import type { Covered, World } from './world';

export const CLAIM_STEPS = ['submit', 'adjudicate', 'remit', 'settle'] as const;
export type ClaimStep = (typeof CLAIM_STEPS)[number];

/** The amount that the payer pays for the claim, in minor units. */
const PAID_AMOUNT = 300_000;

/** For each step, the facts that it records and the events about the claim that it causes. */
const OUTCOMES = {
  submit: { facts: ['created', 'validated', 'submitted'], events: ['claim.submitted'] },
  adjudicate: { facts: ['partially_approved'], events: ['claim.partially_approved'] },
  remit: { facts: ['remittance_recorded'], events: [] },
  settle: { facts: ['settled', 'reconciled'], events: ['claim.settled'] },
} as const;

const stepsThrough = (last: ClaimStep) => CLAIM_STEPS.slice(0, CLAIM_STEPS.indexOf(last) + 1);
export const expectedFacts = (last: ClaimStep): string[] =>
  stepsThrough(last).flatMap((step) => OUTCOMES[step].facts);
export const expectedEvents = (last: ClaimStep): string[] =>
  stepsThrough(last).flatMap((step) => OUTCOMES[step].events);

export class ClaimScenario {
  private readonly key: Readonly<Record<ClaimStep, string>> = {
    submit: crypto.randomUUID(),
    adjudicate: crypto.randomUUID(),
    remit: crypto.randomUUID(),
    settle: crypto.randomUUID(),
  };
  private readonly claimInput;
  private readonly remittanceInput;
  private readonly settlementInput;

  /** @param patienceMs how long each write is repeated, in milliseconds */
  constructor(
    private readonly world: World,
    readonly claimable: Covered,
    private readonly patienceMs = 120_000,
  ) {
    this.claimInput = world.claimInput(claimable);
    this.remittanceInput = world.remittanceInput([]);
    // The remittance ID is a placeholder. The step `settle` replaces it by the ID of the created remittance.
    this.settlementInput = world.settlementInput('rem_placeholder', PAID_AMOUNT);
  }

  /** The provider_claim_reference of the claim. After a restore, the claim is submitted again with another ID and the same reference. */
  get reference(): string {
    return this.claimInput.provider_claim_reference;
  }

  submit(): Promise<Claim> {
    return this.write('submit', (options) => this.world.client.claims.submit(this.claimInput, options));
  }

  adjudicate({ id }: Pick<Claim, 'id'>): Promise<Claim> {
    return this.write('adjudicate', (options) =>
      this.world.client.claims.adjudicate(id, this.world.adjudicationInput(), options),
    );
  }

  remit({ id }: Pick<Claim, 'id'>): Promise<Remittance> {
    const input = { ...this.remittanceInput, allocations: [{ claim_id: id, paid_amount: PAID_AMOUNT }] };
    return this.write('remit', (options) => this.world.client.remittances.create(input, options));
  }

  settle({ id }: Pick<Remittance, 'id'>): Promise<Settlement> {
    const input = { ...this.settlementInput, remittance_id: id };
    return this.write('settle', (options) => this.world.client.settlements.create(input, options));
  }

  /** Runs the steps from the submission through the step `last`, and returns the claim's ID. */
  async runThrough(last: ClaimStep): Promise<ClaimId> {
    const claim = await this.submit();
    if (last === 'submit') return claim.id;
    await this.adjudicate(claim);
    if (last === 'adjudicate') return claim.id;
    const remittance = await this.remit(claim);
    if (last === 'settle') await this.settle(remittance);
    return claim.id;
  }

  private write<T>(step: ClaimStep, call: Parameters<typeof retryUntilResponse<T>>[0]): Promise<T> {
    return retryUntilResponse(call, { idempotencyKey: this.key[step], patienceMs: this.patienceMs });
  }
}
