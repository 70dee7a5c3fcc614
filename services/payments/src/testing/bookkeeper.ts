/**
 * Executes the commands of payments in tests as their requests do, without HTTP and without Temporal. Claims is replaced in memory, unless a
 * test gives another replacement.
 */

import type { JsonResponse } from '@carecover/commands';
import type {
  OperationId,
  PaymentAdvice,
  PaymentAdviceInput,
  RemittanceStatus,
  Settlement,
  SettlementInput,
} from '@carecover/contract';
import { newId, type Tenant } from '@carecover/domain';
import { type Call, requestHash } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import { newTenant, testCaller } from '@carecover/testing/services';
import { callsOfClaims, remittanceSteps } from '../activities';
import { findSettlement, type SettlementRow } from '../store/settlements';
import { createPaymentAdvice } from '../use-cases/create-payment-advice';
import { createRemittance } from '../use-cases/create-remittance';
import { createSettlement } from '../use-cases/create-settlement';
import type { CreationDeps } from '../use-cases/record-advice';
import { replacePaymentAdvice } from '../use-cases/replace-advice';
import { reverseSettlement } from '../use-cases/reverse-settlement';
import { withdrawPaymentAdvice } from '../use-cases/withdraw-advice';
import { ClaimsRecorder } from './claims-recorder';

const DAY_MS = 24 * 60 * 60 * 1000;
export const WAIT_MS = 30 * DAY_MS;

/** Allocated amounts in minor units, by claim ID. */
export type Shares = Readonly<Record<string, number>>;

interface AdviceOptions {
  readonly reference?: string;
  readonly currency?: string;
  readonly receivedAt?: string;
  /** The idempotency key; by default a new one. */
  readonly key?: string;
}

interface ObservationOptions {
  readonly reference?: string;
  readonly currency?: string;
  readonly observedAt?: string;
  readonly shares?: Shares;
  /** The idempotency key; by default a new one. */
  readonly key?: string;
}

export class Bookkeeper {
  readonly activities;
  readonly deps: CreationDeps;

  constructor(
    readonly sql: Sql,
    readonly tenant: Tenant = newTenant(),
    readonly claims = new ClaimsRecorder(),
  ) {
    this.deps = { sql, claims, waitMs: WAIT_MS, notifySignals: () => undefined };
    this.activities = { ...callsOfClaims(this.deps), ...remittanceSteps(this.deps) };
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

  /** Makes the call of an operation, as the service's server does. */
  private async call<Operation extends OperationId>(
    operation: Operation,
    params: Record<string, string>,
    body: object,
    key: string = newId('key_'),
  ): Promise<Call<Operation>> {
    return {
      operation,
      caller: testCaller(this.tenant),
      params,
      query: {},
      body,
      rawBody: Buffer.from(JSON.stringify(body)),
      headers: {},
      idempotencyKey: key,
      requestHash: await requestHash(`${operation} ${Object.values(params).join()}`, body, 'secret'),
      replayStatus: operation === 'reverseSettlement' || operation === 'withdrawPaymentAdvice' ? 200 : 201,
    } as unknown as Call<Operation>;
  }

  /** Creates a remittance with the given allocations. Returns the response. */
  async createRemittance(
    shares: Shares | [string, number][],
    options: AdviceOptions = {},
  ): Promise<JsonResponse> {
    const body = {
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
    };
    return createRemittance(this.deps, await this.call('createRemittance', {}, body, options.key));
  }

  /** Creates a remittance with the given allocations. Returns its ID. */
  async advise(shares: Shares | [string, number][], options: AdviceOptions = {}): Promise<string> {
    return JSON.parse((await this.createRemittance(shares, options)).text).id;
  }

  /** Creates a payment advice. Returns the response. */
  async createAdvice(
    lines: Partial<PaymentAdviceInput> & { readonly net: number },
    key?: string,
  ): Promise<JsonResponse> {
    const body = {
      payer_reference: newId('era-'),
      currency: 'KES',
      received_at: '2026-01-06T10:00:00Z',
      ...lines,
    };
    return createPaymentAdvice(this.deps, await this.call('createPaymentAdvice', {}, body, key));
  }

  /** Creates a payment advice. Returns it. */
  async adviceOf(lines: Partial<PaymentAdviceInput> & { readonly net: number }): Promise<PaymentAdvice> {
    return JSON.parse((await this.createAdvice(lines)).text);
  }

  /** Withdraws a payment advice. Returns it. */
  async withdraw(adviceId: string, key?: string): Promise<PaymentAdvice> {
    const params = { payment_advice_id: adviceId };
    const call = await this.call('withdrawPaymentAdvice', params, { reason_code: 'sent_in_error' }, key);
    return JSON.parse((await withdrawPaymentAdvice(this.deps, call)).text);
  }

  /** Replaces a payment advice. Returns the new one. */
  async replace(
    adviceId: string,
    lines: Partial<PaymentAdviceInput> & { readonly net: number },
    key?: string,
  ): Promise<PaymentAdvice> {
    const body = {
      payer_reference: newId('era-'),
      currency: 'KES',
      received_at: '2026-01-06T10:00:00Z',
      ...lines,
    };
    const params = { payment_advice_id: adviceId };
    const call = await this.call('replacePaymentAdvice', params, body, key);
    return JSON.parse((await replacePaymentAdvice(this.deps, call)).text);
  }

  /** Creates a settlement. Returns the response. */
  async createSettlement(
    remittanceId: string,
    amount: number,
    options: ObservationOptions = {},
  ): Promise<JsonResponse> {
    const { shares } = options;
    const body: SettlementInput = {
      remittance_id: remittanceId,
      source_reference: options.reference ?? newId('bank-'),
      currency: (options.currency ?? 'KES') as SettlementInput['currency'],
      amount,
      observed_at: options.observedAt ?? '2026-01-07T10:00:00Z',
      ...(shares && {
        allocations: Object.entries(shares).map(([claim_id, part]) => ({ claim_id, amount: part })),
      }),
    };
    return createSettlement(this.deps, await this.call('createSettlement', {}, body, options.key));
  }

  /** Creates the settlements of one deposit for several advices. Returns the first one. */
  async observeDeposit(
    parts: readonly { readonly id: string; readonly amount: number }[],
    options: ObservationOptions = {},
  ): Promise<Settlement> {
    const body: SettlementInput = {
      source_reference: options.reference ?? newId('bank-'),
      currency: 'KES',
      amount: parts.reduce((sum, { amount }) => sum + amount, 0),
      observed_at: '2026-01-07T10:00:00Z',
      shares: parts.map(({ id, amount }) => ({ payment_advice_id: id, amount })),
    };
    const call = await this.call('createSettlement', {}, body, options.key);
    return JSON.parse((await createSettlement(this.deps, call)).text);
  }

  /** Creates a settlement. Returns its row. */
  async observe(
    remittanceId: string,
    amount: number,
    options: ObservationOptions = {},
  ): Promise<SettlementRow> {
    const { text } = await this.createSettlement(remittanceId, amount, options);
    return this.settlement(JSON.parse(text).id);
  }

  /** Reverses a settlement. Returns the response. */
  async reverseSettlement(settlementId: string, key?: string): Promise<JsonResponse> {
    const params = { settlement_id: settlementId };
    const body = { reason_code: 'entered_twice' };
    return reverseSettlement(this.deps, await this.call('reverseSettlement', params, body, key));
  }

  /** Inserts reversed settlements of a remittance, without their commands and reversals. The remittance must have no settlement. */
  async fillWithSettlements(remittanceId: string, count: number): Promise<void> {
    await this.sql`
      insert into settlements
        (id, project_id, remittance_id, position, source_reference, source_reference_key, source_reference_search, currency, amount,
         allocations, status, observed_at)
      select 'stl_' || replace(gen_random_uuid()::text, '-', ''), ${this.tenant}, ${remittanceId}, position,
        reference, reference, upper(reference), 'KES', 1, '[]', 'reversed', '2026-01-07T10:00:00Z'
      from generate_series(1, ${count}::integer) position, lateral (select ${remittanceId} || '-' || position as reference) made`;
  }

  /** Inserts remittances that allocate one minor unit each to a claim, without their commands and postings. */
  async fillWithRemittances(claimId: string, count: number): Promise<void> {
    await this.sql`
      with filler as (
        insert into remittances
          (id, project_id, environment, payer_reference, payer_reference_key, payer_reference_search, currency, total, received_at,
           deadline)
        select 'rem_' || replace(gen_random_uuid()::text, '-', ''), ${this.tenant}, 'sandbox', reference, reference, upper(reference),
          'KES', 1, '2026-01-06T10:00:00Z', '2026-02-05T10:00:00Z'
        from generate_series(1, ${count}::integer) position, lateral (select ${claimId} || '-' || position as reference) made
        returning id
      )
      insert into remittance_allocations (remittance_id, claim_id, position, paid_amount, reason_codes, adjudication_version)
      select id, ${claimId}, 0, 1, '[]', 1 from filler`;
  }

  async reverse(settlement: { readonly id: string }): Promise<SettlementRow> {
    await this.reverseSettlement(settlement.id);
    return this.settlement(settlement.id);
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
      select input from claims_notifications where remittance_id = ${remittanceId} order by sequence`;
    return rows.map(({ input }) => input);
  }
}
