/**
 * Renders the facts of an example claim with effective_at and recorded_at, and the valuations that the rules of the claims service
 * compute at some cutoffs.
 */
import { readFileSync } from 'node:fs';
import { type ClaimValuation, formatInstant } from '@carecover/contract';
import { renderStandalone, type Story } from '@carecover/two-times';
import { STYLESHEET } from '@carecover/two-times/assets';
import type { Fact } from '../../../../services/claims/src/rules/facts';
import { timelineOf } from '../../../../services/claims/src/rules/timeline';
import { valueAt } from '../../../../services/claims/src/rules/valuation';

const CLAIM = 'clm_0199f2a4c1d27b3e9a5f60718293a4b5';
const march = (day: number, hour = 9) => Date.UTC(2025, 2, day, hour);

const common = { reasonCode: null, evidenceReferences: [], cause: 'cmd_1', authority: 'key_1' } as const;
const FACTS: readonly Fact[] = [
  {
    ...common,
    type: 'created',
    detail: { currency: 'KES', billed: 390_000 },
    sequence: 1,
    effectiveAt: march(2),
    recordedAt: march(2),
    previousStatus: null,
    nextStatus: 'draft',
  },
  {
    ...common,
    type: 'validated',
    detail: null,
    sequence: 2,
    effectiveAt: march(2),
    recordedAt: march(2),
    previousStatus: 'draft',
    nextStatus: 'draft',
  },
  {
    ...common,
    type: 'submitted',
    detail: null,
    sequence: 3,
    effectiveAt: march(2),
    recordedAt: march(2),
    previousStatus: 'draft',
    nextStatus: 'submitted',
  },
  {
    ...common,
    type: 'partially_approved',
    detail: {
      adjudication_id: 'adj_1',
      version: 1,
      payer: 300_000,
      patient_responsibility: 20_000,
      adjustment: 70_000,
      policy: { reference: 'policy:outpatient', version: '2025.1' },
    },
    sequence: 4,
    effectiveAt: march(6),
    recordedAt: march(6),
    previousStatus: 'submitted',
    nextStatus: 'partially_approved',
  },
  {
    ...common,
    type: 'remittance_recorded',
    detail: { amount: 300_000 },
    sequence: 5,
    effectiveAt: march(10),
    recordedAt: march(12),
    previousStatus: 'partially_approved',
    nextStatus: 'partially_approved',
  },
  {
    ...common,
    type: 'settled',
    detail: { amount: 300_000 },
    sequence: 6,
    effectiveAt: march(11),
    recordedAt: march(14),
    previousStatus: 'partially_approved',
    nextStatus: 'settled',
  },
  {
    ...common,
    type: 'reconciled',
    detail: null,
    sequence: 7,
    effectiveAt: march(14),
    recordedAt: march(14),
    previousStatus: 'settled',
    nextStatus: 'settled',
  },
] as const;
const CUTOFFS = [march(4, 0), march(11, 18), march(13, 0), march(15, 0)];

/** Returns the valuations of the example claim at the cutoffs. */
export function valueAtCutoffs(): ClaimValuation[] {
  return CUTOFFS.flatMap((cutoff) => valueAt(CLAIM, FACTS, cutoff) ?? []);
}

const formatDay = (instant: string) => `${Number(instant.slice(8, 10))} March, ${instant.slice(11, 16)}`;
const formatAmount = (amount: number | null) => (amount === null ? 'null' : String(amount));

export function renderValuationTable(): string {
  const rows = valueAtCutoffs().map(({ valuation_at, status, amount, events }) =>
    [
      formatDay(valuation_at),
      `\`${status}\``,
      formatAmount(amount.payer_liability),
      formatAmount(amount.remitted),
      formatAmount(amount.settled),
      formatAmount(amount.outstanding),
      String(events.length),
    ].join(' | '),
  );
  return [
    '| cutoff | status | payer_liability | remitted | settled | outstanding | facts |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

/** Renders the picture of the example claim's two times, with the cutoffs before and after its advice was recorded. */
export function renderValuationTimeline(): string {
  const story: Story = { ...timelineOf(FACTS), time_zone: 'UTC', now: formatInstant(march(16, 0)) };
  const [, other = 0, at = 0] = CUTOFFS;
  const view = { at, other, axis: 'known_then' } as const;
  return renderStandalone(story, 'medium', view, readFileSync(STYLESHEET, 'utf8'));
}
