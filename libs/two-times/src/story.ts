/** What the picture shows of a claim: its facts, and its status and amounts from each instant on. Amounts are in minor units. */
import { amountText, shortAmount } from './amounts';
import { lagOf, Zone } from './zone';

/** Amounts as a valuation has them; null while there is no adjudication. */
export interface Amounts {
  readonly billed: number;
  readonly payer_liability: number | null;
  readonly patient_responsibility: number | null;
  readonly adjustment: number | null;
  readonly remitted: number;
  readonly settled: number;
  readonly outstanding: number | null;
}

/** The status and amounts from `at` (RFC 3339) to the next step. */
export interface Step {
  readonly at: string;
  readonly status: string;
  readonly amount: Amounts;
}

/** A fact as a valuation has it, with its amount. A recovery is `remittance_recovered`, and its settlement `recovery_settled`. */
export interface StoryFact {
  readonly sequence: number;
  readonly type: string;
  /** When it took effect, and when it was learned: RFC 3339. */
  readonly effective_at: string;
  readonly recorded_at: string;
  readonly previous_status: string | null;
  readonly next_status: string | null;
  /**
   * The billed amount, the payer's part of a decision, or the amount of a remittance, recovery or settlement. It is negative for a recovery,
   * its settlement, and the reversal of a settlement.
   */
  readonly amount: number | null;
}

export interface Story {
  readonly currency: string;
  /** The IANA time zone of dates and days. */
  readonly time_zone: string;
  /** The end of the calendar, RFC 3339. All facts are learned by then. */
  readonly now: string;
  /** All facts in sequence; there is at least one. */
  readonly facts: readonly StoryFact[];
  /** The valuations at each cutoff: what was known then. */
  readonly known_then: readonly Step[];
  /** The valuations of what took effect through each instant, as it is known now. */
  readonly known_now: readonly Step[];
}

/** Whether a cutoff limits what was known, or what had taken effect as it is known now. */
export type Axis = 'known_then' | 'known_now';

/** What a person looks at: cutoff A, optionally cutoff B, and the axis of both. Instants are epoch milliseconds. */
export interface View {
  readonly at: number;
  readonly other: number | null;
  readonly axis: Axis;
}

/** The facts of one commit that took effect at the same instant. */
export interface Mark {
  readonly effective: number;
  readonly recorded: number;
  /** What happened, in one to three words per fact. */
  readonly name: string;
  /** The amount with its sign; null if there is none. */
  readonly amount: number | null;
  /** The facts as nouns, for sentences: `remittance of 5,084.00`. */
  readonly nouns: readonly string[];
  /** How much later it was learned: `21 days later`; null if at once. */
  readonly lag: string | null;
}

interface Words {
  readonly name: string;
  readonly noun: string;
  readonly hasAmount: boolean;
}

const WORDS: Readonly<Record<string, Words>> = {
  created: { name: 'created', noun: 'creation', hasAmount: true },
  validated: { name: 'validated', noun: 'validation', hasAmount: false },
  submitted: { name: 'submitted', noun: 'submission', hasAmount: true },
  lapsed: { name: 'question lapsed', noun: 'lapse of a question', hasAmount: false },
  queried: { name: 'question asked', noun: 'question', hasAmount: false },
  evidence_added: { name: 'evidence added', noun: 'evidence', hasAmount: false },
  resubmitted: { name: 'question answered', noun: 'answer to a question', hasAmount: false },
  approved: { name: 'approved', noun: 'approval', hasAmount: true },
  partially_approved: { name: 'partly approved', noun: 'partial approval', hasAmount: true },
  denied: { name: 'denied', noun: 'denial', hasAmount: false },
  remittance_recorded: { name: 'remittance', noun: 'remittance', hasAmount: true },
  remittance_recovered: { name: 'taken back', noun: 'recovery', hasAmount: true },
  settled: { name: 'settled', noun: 'settlement', hasAmount: true },
  taken_back: { name: 'settlement reversed', noun: 'reversed settlement', hasAmount: true },
  recovery_settled: { name: 'recovery settled', noun: 'settled recovery', hasAmount: true },
  reconciled: { name: 'reconciled', noun: 'reconciliation', hasAmount: false },
  reversed: { name: 'claim reversed', noun: 'reversal of the claim', hasAmount: false },
  cancelled: { name: 'cancelled', noun: 'cancellation', hasAmount: false },
};

function wordsOf({ type, previous_status, amount }: StoryFact): Words {
  const kind =
    type === 'submitted' && previous_status === 'queried'
      ? 'lapsed'
      : type === 'settled' && (amount ?? 0) < 0
        ? 'taken_back'
        : type;
  const plain = type.replaceAll('_', ' ');
  return WORDS[kind] ?? { name: plain, noun: plain, hasAmount: amount !== null };
}

/** The facts that say nothing beside another fact of the same commit and instant. */
const IMPLIED: Readonly<Record<string, string>> = {
  created: 'submitted',
  validated: 'submitted',
  evidence_added: 'resubmitted',
};

/** The number of facts that a mark names; of more it says how many they are. */
const NAMED = 2;

function markOf(zone: Zone, facts: readonly StoryFact[], effective: number, recorded: number): Mark {
  const types = new Set(facts.map(({ type }) => type));
  const told = facts.filter(({ type }) => !types.has(IMPLIED[type] ?? ''));
  const billed = facts.find(({ type }) => type === 'created')?.amount ?? null;
  const items = told.map((fact) => {
    const words = wordsOf(fact);
    const amount = words.hasAmount ? (fact.amount ?? (fact.type === 'submitted' ? billed : null)) : null;
    return { ...words, amount };
  });
  const first = items[0];
  const others = items.slice(1);
  const names =
    items.length <= NAMED ? items.map(({ name }) => name) : [first?.name ?? '', `${others.length} more`];
  return {
    effective,
    recorded,
    name: names.join(', '),
    amount: others.some(({ amount }) => amount !== null) ? null : (first?.amount ?? null),
    nouns: items.map(({ noun, amount }) => (amount === null ? noun : `${noun} of ${amountText(amount)}`)),
    lag: lagOf(zone, effective, recorded),
  };
}

/** The marks by story: a view needs them several times, and dates of a time zone are slow. */
const MARKS = new WeakMap<Story, readonly Mark[]>();

/** Returns the marks of a story in the order in which they were learned. Facts of one commit that took effect together are one mark. */
export function marksOf(story: Story): readonly Mark[] {
  const known = MARKS.get(story);
  if (known !== undefined) return known;
  const marks = newMarks(story);
  MARKS.set(story, marks);
  return marks;
}

/** The most marks that a picture has room for; of a claim with more, it shows the newest. */
const MAX_DRAWN = 200;

export function drawnMarksOf(story: Story): readonly Mark[] {
  return marksOf(story).slice(-MAX_DRAWN);
}

function newMarks({ facts, time_zone }: Story): Mark[] {
  const zone = new Zone(time_zone);
  const groups = new Map<string, StoryFact[]>();
  for (const fact of facts) {
    const key = `${fact.recorded_at} ${fact.effective_at}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [fact]);
    else group.push(fact);
  }
  return [...groups.values()]
    .map((group) => {
      const [first] = group;
      if (first === undefined) throw new Error('a group has a fact');
      return markOf(zone, group, Date.parse(first.effective_at), Date.parse(first.recorded_at));
    })
    .sort((a, b) => a.recorded - b.recorded || a.effective - b.effective);
}

/** Returns the name and amount of a mark in at most `length` characters. */
export function labelOf(
  { name, amount }: Pick<Mark, 'name' | 'amount'>,
  length = Number.POSITIVE_INFINITY,
): string {
  if (amount === null) return shorten(name, length);
  const full = `${name} ${amountText(amount)}`;
  if (full.length <= length) return full;
  return shorten(`${name} ${shortAmount(amount)}`, length);
}

export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1))}…`;
}

/** Returns the first cutoff that a mark counts at, on an axis. */
export function countsFrom(
  { effective, recorded }: Pick<Mark, 'effective' | 'recorded'>,
  axis: Axis,
): number {
  return axis === 'known_now' ? effective : Math.max(effective, recorded);
}

export function stepsOn(story: Story, axis: Axis): readonly Step[] {
  return story[axis];
}

/** Returns the step at an instant; null before the claim existed. */
export function stepAt(steps: readonly Step[], at: number): Step | null {
  return steps.findLast((step) => Date.parse(step.at) <= at) ?? null;
}

/** The parts into which the billed amount is divided. Their sum is the billed amount. */
export const PARTS = ['settled', 'advised', 'unadvised', 'undecided', 'patient', 'adjustment'] as const;
export type Part = (typeof PARTS)[number];

export interface Stack {
  readonly parts: Readonly<Record<Part, number>>;
  /** What was settled beyond what the payer owes: it is recoverable, and hangs below zero. */
  readonly recoverable: number;
}

/** Divides the billed amount into what is settled, advised and not paid, not advised, owed by the patient, adjusted, and not decided. */
export function stackOf(amount: Amounts): Stack {
  const payer = amount.payer_liability ?? 0;
  const settled = Math.max(0, Math.min(amount.settled, payer));
  const advised = Math.max(0, Math.min(amount.remitted, payer) - settled);
  const patient = amount.patient_responsibility ?? 0;
  const adjustment = amount.adjustment ?? 0;
  const undecided = Math.max(0, amount.billed - payer - patient - adjustment);
  return {
    parts: { settled, advised, unadvised: payer - settled - advised, undecided, patient, adjustment },
    recoverable: Math.max(0, amount.settled - settled),
  };
}
