/** One claim's facts on their two times, and what its valuation says at some cutoffs: by the claims service's own fold. */
import type { ClaimValuation } from '@carecover/contract';
import type { Fact } from '../../../../services/claims/src/rules/facts';
import { valueAt } from '../../../../services/claims/src/rules/valuation';
import { ACCENT, INK, LINE, line, picture, text } from './svg';

const CLAIM = 'clm_0199f2a4c1d27b3e9a5f60718293a4b5';
const march = (day: number, hour = 9) => Date.UTC(2027, 2, day, hour);

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
      policy: { reference: 'policy:outpatient', version: '2027.1' },
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
] as const;
const SHOWN = ['submitted', 'partially_approved', 'remittance_recorded', 'settled'];
const CUTOFFS = [march(4, 0), march(11, 18), march(13, 0), march(15, 0)];

export function valuations(): ClaimValuation[] {
  return CUTOFFS.flatMap((cutoff) => valueAt(CLAIM, FACTS, cutoff) ?? []);
}

const day = (instant: string) => `${Number(instant.slice(8, 10))} March, ${instant.slice(11, 16)}`;
const money = (amount: number | null) => (amount === null ? 'null' : String(amount));

export function valuationTable(): string {
  const rows = valuations().map(({ valuation_at, status, amount, events }) =>
    [
      day(valuation_at),
      `\`${status}\``,
      money(amount.payer_liability),
      money(amount.remitted),
      money(amount.settled),
      money(amount.outstanding),
      String(events.length),
    ].join(' | '),
  );
  return [
    '| cutoff | status | payer_liability | remitted | settled | outstanding | events |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

const LEFT = 150;
const PER_DAY = 50;
const x = (at: number) => LEFT + ((at - march(2, 0)) / 86_400_000) * PER_DAY;
const EFFECTIVE_Y = 110;
const RECORDED_Y = 230;

export function valuationPicture(): string {
  const shown = FACTS.filter(({ type }) => SHOWN.includes(type));
  const lanes = [
    ['took effect', EFFECTIVE_Y],
    ['was recorded', RECORDED_Y],
  ].flatMap(([words, y]) => [
    text(LEFT - 20, Number(y) + 4, String(words), { anchor: 'end', bold: true }),
    line(LEFT - 10, Number(y), x(march(16)), Number(y)),
  ]);
  const days = Array.from({ length: 14 }, (_, n) =>
    text(x(march(2 + n, 0)), 282, String(2 + n), { size: 12, colour: LINE }),
  );
  const facts = shown.flatMap(({ type, effectiveAt, recordedAt }, n) => [
    line(x(effectiveAt), EFFECTIVE_Y, x(recordedAt), RECORDED_Y, 'stroke-width="2"'),
    ...[
      [x(effectiveAt), EFFECTIVE_Y],
      [x(recordedAt), RECORDED_Y],
    ].map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="6" fill="${INK}"/>`),
    text(x(effectiveAt) + 4, EFFECTIVE_Y - (n % 2 === 0 ? 16 : 36), type, { size: 12, anchor: 'end' }),
  ]);
  const cutoffs = CUTOFFS.flatMap((cutoff, n) => [
    `<line x1="${x(cutoff)}" y1="50" x2="${x(cutoff)}" y2="262" stroke="${ACCENT}" stroke-dasharray="6 4" stroke-width="2"/>`,
    text(x(cutoff), n % 2 === 0 ? 38 : 20, day(new Date(cutoff).toISOString()), {
      size: 12,
      colour: ACCENT,
      bold: true,
    }),
  ]);
  return picture(
    { width: 880, height: 300 },
    'Facts of a claim on two times',
    shown
      .map(({ type, effectiveAt, recordedAt }) => {
        const [effective, recorded] = [effectiveAt, recordedAt].map((at) => day(new Date(at).toISOString()));
        return `${type} took effect on ${effective} and was recorded on ${recorded}.`;
      })
      .join(' '),
    [
      ...lanes,
      ...days,
      text(x(march(9, 0)), 298, 'March 2027', { size: 12, colour: LINE }),
      ...cutoffs,
      ...facts,
    ],
  );
}
