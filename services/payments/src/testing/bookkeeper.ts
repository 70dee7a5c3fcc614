/**
 * Executes the steps of payments in tests as the workflows do, but without Temporal. A method that changes a remittance writes a command
 * row and executes the command's steps.
 */
import type { RemittanceStatus } from '@carecover/contract';
import { newId, type Sql, type Tenant } from '@carecover/platform';
import { newTenant, pendingCommand } from '@carecover/platform/testing';
import type { RemittanceState } from '@carecover/workflow-remittance';
import { type RemittanceCommand, remittanceWorkflow } from '@carecover/workflow-remittance/definition';
import { paymentsActivities } from '../activities';
import { findSettlement, type SettlementRow } from '../store/settlements';

const DAY_MS = 24 * 60 * 60 * 1000;
export const WAIT_MS = 30 * DAY_MS;

/** Allocated amounts in minor units, by claim ID. */
export type Shares = Readonly<Record<string, number>>;

interface AdviceOptions {
  readonly reference?: string;
  readonly currency?: string;
  readonly receivedAt?: string;
  readonly knownClaims?: readonly string[] | null;
}

interface ObservationOptions {
  readonly reference?: string;
  readonly currency?: string;
  readonly observedAt?: string;
  readonly shares?: Shares;
}

export class Bookkeeper {
  readonly activities;

  constructor(
    readonly sql: Sql,
    readonly tenant: Tenant = newTenant(),
  ) {
    this.activities = paymentsActivities(sql, WAIT_MS);
  }

  /** Posts the adjudication of a claim, by default of a new one. Returns the claim's ID. */
  async adjudicate(
    payer: number,
    options: { claimId?: string; version?: number; currency?: string; adjudicationId?: string } = {},
  ): Promise<string> {
    const claimId = options.claimId ?? newId('clm_');
    await this.activities.openLiability({
      tenant: this.tenant,
      environment: 'sandbox',
      claimId,
      adjudicationId: options.adjudicationId ?? newId('adj_'),
      adjudicationVersion: options.version ?? 1,
      currency: options.currency ?? 'KES',
      amount: { billed: payer + 30, payer, patient_responsibility: 20, adjustment: 10 },
      decidedAt: '2026-01-05T10:00:00.000Z',
    });
    return claimId;
  }

  reverseClaim(claimId: string): Promise<void> {
    return this.activities.reverseLiability({ tenant: this.tenant, claimId });
  }

  /** Inserts a command row as the API does. Returns the command's ID. */
  command(operation: RemittanceCommand, resourceId: string, body: object): Promise<string> {
    const update = remittanceWorkflow.updates[operation];
    return pendingCommand(this.sql, this.tenant, { operation, update }, resourceId, body);
  }

  /** Returns the input of a workflow step that executes a command. */
  step(remittanceId: string, commandId: string) {
    return { tenant: this.tenant, remittanceId, commandId };
  }

  /** Creates a remittance with the given allocations, and stores the response of its command. Returns the remittance's ID. */
  async advise(shares: Shares | [string, number][], options: AdviceOptions = {}): Promise<string> {
    const remittanceId = newId('rem_');
    const commandId = await this.command('createRemittance', remittanceId, {
      payer_reference: options.reference ?? newId('era-'),
      currency: options.currency ?? 'KES',
      received_at: options.receivedAt ?? '2026-01-06T10:00:00Z',
      allocations: (Array.isArray(shares) ? shares : Object.entries(shares)).map(
        ([claim_id, paid_amount]) => ({
          claim_id,
          paid_amount,
          reason_codes: ['fee_schedule'],
        }),
      ),
    });
    const knownClaims = options.knownClaims === undefined ? [] : options.knownClaims;
    const outcome = await this.activities.allocate({ ...this.step(remittanceId, commandId), knownClaims });
    if ('claimsWithoutAccount' in outcome)
      throw new Error(`claims without an account: ${outcome.claimsWithoutAccount.join()}`);
    await this.conclude(remittanceId, commandId, outcome);
    return remittanceId;
  }

  /** Creates a settlement, and stores the response of its command. Returns the settlement's row. */
  async observe(
    remittanceId: string,
    amount: number,
    options: ObservationOptions = {},
  ): Promise<SettlementRow> {
    const id = newId('stl_');
    const { shares } = options;
    const commandId = await this.command('createSettlement', id, {
      remittance_id: remittanceId,
      source_reference: options.reference ?? newId('bank-'),
      currency: options.currency ?? 'KES',
      amount,
      observed_at: options.observedAt ?? '2026-01-07T10:00:00Z',
      ...(shares && {
        allocations: Object.entries(shares).map(([claim_id, part]) => ({ claim_id, amount: part })),
      }),
    });
    const state = await this.activities.observe(this.step(remittanceId, commandId));
    await this.conclude(remittanceId, commandId, state);
    return this.settlement(id);
  }

  /** Inserts reversed settlements of a remittance, without their commands and reversals. The remittance must have no settlement. */
  async fillWithSettlements(remittanceId: string, count: number): Promise<void> {
    await this.sql`
      insert into settlements
        (id, project_id, remittance_id, position, source_reference, currency, amount, allocations, status, observed_at)
      select 'stl_' || replace(gen_random_uuid()::text, '-', ''), ${this.tenant}, ${remittanceId}, position,
        gen_random_uuid()::text, 'KES', 1, '[]', 'reversed', '2026-01-07T10:00:00Z'
      from generate_series(1, ${count}::integer) position`;
  }

  /** Inserts remittances that allocate one minor unit each to a claim, without their commands and postings. */
  async fillWithRemittances(claimId: string, count: number): Promise<void> {
    await this.sql`
      with filler as (
        insert into remittances
          (id, project_id, environment, payer_reference, currency, total, received_at, deadline)
        select 'rem_' || replace(gen_random_uuid()::text, '-', ''), ${this.tenant}, 'sandbox', gen_random_uuid()::text, 'KES', 1,
          '2026-01-06T10:00:00Z', '2026-02-05T10:00:00Z'
        from generate_series(1, ${count}::integer)
        returning id
      )
      insert into remittance_allocations (remittance_id, claim_id, position, paid_amount, reason_codes, adjudication_version)
      select id, ${claimId}, 0, 1, '[]', 1 from filler`;
  }

  async reverse(settlement: Pick<SettlementRow, 'id' | 'remittance_id'>): Promise<SettlementRow> {
    const commandId = await this.command('reverseSettlement', settlement.id, {
      reason_code: 'entered_twice',
    });
    const state = await this.activities.reverseObservation(this.step(settlement.remittance_id, commandId));
    await this.conclude(settlement.remittance_id, commandId, state);
    return this.settlement(settlement.id);
  }

  conclude(remittanceId: string, commandId: string, { pending }: RemittanceState): Promise<RemittanceState> {
    return this.activities.conclude({
      ...this.step(remittanceId, commandId),
      recordedCauses: pending.map((notification) => notification.causeId),
    });
  }

  async settlement(id: string): Promise<SettlementRow> {
    const row = await findSettlement(this.sql, this.tenant, id);
    if (row === undefined) throw new Error(`no settlement ${id}`);
    return row;
  }

  async status(remittanceId: string): Promise<RemittanceStatus | undefined> {
    const [row] = await this.sql<{ status: RemittanceStatus }[]>`
      select status from remittances where id = ${remittanceId}`;
    return row?.status;
  }

  /** Reads those balances of a claim that remittances, settlements and reversals change. */
  async balances(claimId: string) {
    const [row] = await this.sql<
      { payer_liability: number; remitted: number; cash_observed: number; recoverable: number }[]
    >`select payer_liability, remitted, cash_observed, recoverable from claim_accounts where claim_id = ${claimId}`;
    return row;
  }

  /** Reads the sum of all balances per currency, which must be zero. */
  async sums(): Promise<Record<string, number>> {
    const rows = await this.sql<{ currency: string; sum: number }[]>`
      select currency, sum(charges + payer_liability + patient_responsibility + adjustment + remitted + cash_observed
        + recoverable + provider)::bigint as sum from claim_accounts where project_id = ${this.tenant} group by currency`;
    return Object.fromEntries(rows.map(({ currency, sum }) => [currency, sum]));
  }

  /** Reads the types of a remittance's events, oldest first. */
  async events(remittanceId: string): Promise<string[]> {
    const rows = await this.sql<{ type: string }[]>`
      select type from outbox where resource_id = ${remittanceId} order by seq`;
    return rows.map(({ type }) => type);
  }

  /** Reads the notifications to the claims service about a remittance, in the order in which they were enqueued. */
  async records(remittanceId: string): Promise<unknown[]> {
    const rows = await this.sql<{ input: unknown }[]>`
      select input from claims_records where remittance_id = ${remittanceId} order by sequence`;
    return rows.map(({ input }) => input);
  }
}
