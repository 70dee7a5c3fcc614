/** Stories of claims for tests: facts, folded to the steps that the claims service would return. */
import type { Amounts, Step, Story, StoryFact } from '../story';

/** A fact with its instants, epoch milliseconds, and amounts in minor units. */
export interface Told {
  readonly type: string;
  readonly effective: number;
  readonly recorded: number;
  readonly status: string;
  readonly amount?: number;
  /** The parts of a decision, in minor units. */
  readonly decision?: { readonly payer: number; readonly patient: number; readonly adjustment: number };
}

const NOTHING: Amounts = {
  billed: 0,
  payer_liability: null,
  patient_responsibility: null,
  adjustment: null,
  remitted: 0,
  settled: 0,
  outstanding: null,
};

function learn(amount: Amounts, { type, amount: moved = 0, decision }: Told): Amounts {
  const next =
    type === 'created'
      ? { ...amount, billed: moved }
      : decision !== undefined
        ? {
            ...amount,
            payer_liability: decision.payer,
            patient_responsibility: decision.patient,
            adjustment: decision.adjustment,
          }
        : type === 'remittance_recorded' || type === 'remittance_recovered'
          ? { ...amount, remitted: amount.remitted + moved }
          : type === 'settled' || type === 'recovery_settled'
            ? { ...amount, settled: amount.settled + moved }
            : type === 'reversed'
              ? { ...amount, payer_liability: null, patient_responsibility: null, adjustment: null }
              : amount;
  const { payer_liability: payer, settled } = next;
  return { ...next, outstanding: payer === null ? null : Math.max(0, payer - settled) };
}

const iso = (at: number) => new Date(at).toISOString();

function stepsFor(told: readonly Told[], instantOf: (fact: Told) => number): Step[] {
  const instants = [...new Set(told.map(instantOf))].sort((a, b) => a - b);
  return instants.flatMap((at) => {
    const counted = told.filter((fact) => instantOf(fact) <= at);
    if (counted[0]?.type !== 'created') return [];
    return [
      { at: iso(at), status: counted.at(-1)?.status ?? 'draft', amount: counted.reduce(learn, NOTHING) },
    ];
  });
}

/** Returns the story of facts that are in sequence. */
export function storyOf(told: readonly Told[], now: number, time_zone = 'Africa/Nairobi'): Story {
  const facts = told.map(
    ({ type, effective, recorded, status, amount, decision }, index): StoryFact => ({
      sequence: index + 1,
      type,
      effective_at: iso(effective),
      recorded_at: iso(recorded),
      previous_status: told[index - 1]?.status ?? null,
      next_status: status,
      amount: decision?.payer ?? amount ?? null,
    }),
  );
  return {
    currency: 'KES',
    time_zone,
    now: iso(now),
    facts,
    known_then: stepsFor(told, ({ effective, recorded }) => Math.max(effective, recorded)),
    known_now: stepsFor(told, ({ effective }) => effective),
  };
}

/** Returns an instant of a text without its zone, in Nairobi: `nairobi('2026-11-05 09:30')`. */
export const nairobi = (text: string) => Date.parse(`${text.replace(' ', 'T')}:00+03:00`);

/** Returns the three facts of a submission. */
export function submission(at: number, billed: number): Told[] {
  return [
    { type: 'created', effective: at, recorded: at, status: 'draft', amount: billed },
    { type: 'validated', effective: at, recorded: at, status: 'draft' },
    { type: 'submitted', effective: at, recorded: at, status: 'submitted' },
  ];
}

const decided = (at: number, type: string, payer: number, patient: number, adjustment: number): Told => ({
  type,
  effective: at - 20,
  recorded: at,
  status: type,
  decision: { payer, patient, adjustment },
});

const NOW = nairobi('2026-11-27 10:00');

/** A claim that was adjudicated three times, and whose remittance and settlement were learned weeks late. */
const lateMoney: Told[] = [
  ...submission(nairobi('2026-08-01 18:00'), 620_000),
  decided(nairobi('2026-08-07 18:00'), 'partially_approved', 508_400, 62_000, 49_600),
  decided(nairobi('2026-10-16 18:00'), 'approved', 620_000, 0, 0),
  decided(nairobi('2026-10-28 18:00'), 'partially_approved', 508_400, 62_000, 49_600),
  {
    type: 'remittance_recorded',
    effective: nairobi('2026-10-15 18:00'),
    recorded: nairobi('2026-11-05 18:00'),
    status: 'partially_approved',
    amount: 508_400,
  },
  {
    type: 'settled',
    effective: nairobi('2026-10-22 18:00'),
    recorded: nairobi('2026-11-17 18:00'),
    status: 'settled',
    amount: 508_400,
  },
  {
    type: 'reconciled',
    effective: nairobi('2026-11-17 18:00') - 30,
    recorded: nairobi('2026-11-17 18:00'),
    status: 'settled',
  },
];

export const STORIES: Readonly<Record<string, Story>> = {
  'late-money': storyOf(lateMoney, NOW),
  'reversed-after-payment': storyOf(
    [
      ...lateMoney,
      {
        type: 'reversed',
        effective: nairobi('2026-11-20 12:00'),
        recorded: nairobi('2026-11-20 12:00'),
        status: 'reversed',
      },
    ],
    NOW,
  ),
  'taken-back': storyOf(
    [
      ...lateMoney,
      {
        type: 'remittance_recovered',
        effective: nairobi('2026-11-18 12:00'),
        recorded: nairobi('2026-11-20 12:00'),
        status: 'settled',
        amount: -200_000,
      },
      {
        type: 'recovery_settled',
        effective: nairobi('2026-11-21 12:00'),
        recorded: nairobi('2026-11-24 12:00'),
        status: 'partially_approved',
        amount: -200_000,
      },
    ],
    NOW,
  ),
  'submitted-minutes-ago': storyOf(submission(NOW - 240_000, 150_000), NOW),
  'question-then-denied': storyOf(
    [
      ...submission(nairobi('2026-11-02 09:00'), 90_000),
      {
        type: 'queried',
        effective: nairobi('2026-11-03 09:00'),
        recorded: nairobi('2026-11-03 09:00'),
        status: 'queried',
      },
      {
        type: 'evidence_added',
        effective: nairobi('2026-11-09 16:00'),
        recorded: nairobi('2026-11-09 16:00'),
        status: 'queried',
      },
      {
        type: 'resubmitted',
        effective: nairobi('2026-11-09 16:00'),
        recorded: nairobi('2026-11-09 16:00'),
        status: 'submitted',
      },
      decided(nairobi('2026-11-12 11:00'), 'denied', 0, 0, 90_000),
    ],
    NOW,
  ),
};
