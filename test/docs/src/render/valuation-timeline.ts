/**
 * Renders the facts of an example claim with effective_at and recorded_at, and the valuations that the rules of the claims service
 * compute at some cutoffs.
 */
import type { ClaimValuation } from '@carecover/contract';
import type { Fact } from '../../../../services/claims/src/rules/facts';
import { valueAt } from '../../../../services/claims/src/rules/valuation';
import { ACCENT, INK, LINE, renderLine, renderPicture, renderText } from './svg';

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
const SHOWN = ['submitted', 'partially_approved', 'remittance_recorded', 'settled'];
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

const LEFT = 150;
const PER_DAY = 50;
const x = (at: number) => LEFT + ((at - march(2, 0)) / 86_400_000) * PER_DAY;
const EFFECTIVE_Y = 110;
const RECORDED_Y = 230;

export function renderValuationTimeline(): string {
  const shown = FACTS.filter(({ type }) => SHOWN.includes(type));
  const axes = [
    ['took effect', EFFECTIVE_Y],
    ['was recorded', RECORDED_Y],
  ].flatMap(([label, y]) => [
    renderText(LEFT - 20, Number(y) + 4, String(label), { anchor: 'end', bold: true }),
    renderLine(LEFT - 10, Number(y), x(march(16)), Number(y)),
  ]);
  const days = Array.from({ length: 14 }, (_, n) =>
    renderText(x(march(2 + n, 0)), 282, String(2 + n), { size: 12, colour: LINE }),
  );
  const facts = shown.flatMap(({ type, effectiveAt, recordedAt }, n) => [
    renderLine(x(effectiveAt), EFFECTIVE_Y, x(recordedAt), RECORDED_Y, 'stroke-width="2"'),
    ...[
      [x(effectiveAt), EFFECTIVE_Y],
      [x(recordedAt), RECORDED_Y],
    ].map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="6" fill="${INK}"/>`),
    renderText(x(effectiveAt) + 4, EFFECTIVE_Y - (n % 2 === 0 ? 16 : 36), type, { size: 12, anchor: 'end' }),
  ]);
  const cutoffs = CUTOFFS.flatMap((cutoff, n) => [
    `<line x1="${x(cutoff)}" y1="50" x2="${x(cutoff)}" y2="262" stroke="${ACCENT}" stroke-dasharray="6 4" stroke-width="2"/>`,
    renderText(x(cutoff), n % 2 === 0 ? 38 : 20, formatDay(new Date(cutoff).toISOString()), {
      size: 12,
      colour: ACCENT,
      bold: true,
    }),
  ]);
  return renderPicture(
    { width: 880, height: 300 },
    'Facts of a claim on two times',
    shown
      .map(({ type, effectiveAt, recordedAt }) => {
        const [effective, recorded] = [effectiveAt, recordedAt].map((at) =>
          formatDay(new Date(at).toISOString()),
        );
        return `${type} took effect on ${effective} and was recorded on ${recorded}.`;
      })
      .join(' '),
    [
      ...axes,
      ...days,
      renderText(x(march(9, 0)), 298, 'March 2025', { size: 12, colour: LINE }),
      ...cutoffs,
      ...facts,
    ],
  );
}
