/** Sentences, instants and the table of differences of a view. */
import { amountText, escapeText } from './amounts';
import {
  type Amounts,
  type Axis,
  countsFrom,
  drawnMarksOf,
  type Mark,
  marksOf,
  type Step,
  type Story,
  stepAt,
  stepsOn,
  type View,
} from './story';
import { DAY_MS, HOUR_MS, Zone } from './zone';

/**
 * Formats a cutoff in the story's time zone: `7 Nov 2026, end of day`, `7 Nov 2026, 14:05`, and to the second where the facts are within
 * hours.
 */
export function instantText(story: Story, at: number): string {
  const zone = new Zone(story.time_zone);
  if (zone.isEndOfDay(at)) return `${zone.day(at, true)}, end of day`;
  return `${zone.day(at, true)}, ${zone.time(at, isShort(story))}`;
}

/** Whether all facts are within hours, so that instants need seconds. */
function isShort({ facts, now }: Story): boolean {
  const first = Math.min(...facts.map(({ effective_at }) => Date.parse(effective_at)));
  return Date.parse(now) - first < 6 * HOUR_MS;
}

/** Formats an instant in a sentence: the day, with its time if the other instant is on the same day. */
function shortInstant(story: Story, at: number, beside: number): string {
  const zone = new Zone(story.time_zone);
  const hasYear = zone.local(at).year !== zone.local(Date.parse(story.now)).year;
  const day = zone.day(at, hasYear);
  const isSameDay = Math.abs(at - beside) < DAY_MS && zone.days(at, beside) === 0;
  return isSameDay ? `${day} ${zone.time(at, isShort(story))}` : day;
}

const LISTED = 3;

/** Describes a fact in a sentence: `remittance of 5,084.00, effective 15 Oct, 21 days late`. */
function factText(story: Story, mark: Mark, noun: string, axis: Axis): string {
  const zone = new Zone(story.time_zone);
  if (mark.lag === null) return noun;
  const day = (at: number) =>
    shortInstant(story, at, zone.days(mark.effective, mark.recorded) === 0 ? mark.recorded : Number.NaN);
  return axis === 'known_now'
    ? `${noun}, learned ${mark.lag}`
    : `${noun}, effective ${day(mark.effective)}, ${mark.lag.replace('later', 'late')}`;
}

/** Returns the facts that count after `from` and at `until` or before. */
function marksBetween(marks: readonly Mark[], from: number, until: number, axis: Axis): Mark[] {
  return marks.filter((mark) => {
    const at = countsFrom(mark, axis);
    return at > from && at <= until;
  });
}

const statusText = (step: Step) => step.status.replaceAll('_', ' ');

function existsAt(story: Story, at: number, axis: Axis): boolean {
  return stepAt(stepsOn(story, axis), at) !== null;
}

/** Returns what a view shows in one or two sentences: the state at A, or what changed between A and B. */
export function sentenceOf(story: Story, { at, other, axis }: View): string {
  const steps = stepsOn(story, axis);
  const marks = marksOf(story);
  if (other === null) {
    const step = stepAt(steps, at);
    const day = instantText(story, at);
    if (step === null) return `On ${day}, the claim did not exist.`;
    const hidden = marks.filter((mark) => mark.effective <= at && countsFrom(mark, axis) > at);
    const unknown =
      hidden.length === 0
        ? 'Everything that had taken effect by then was known.'
        : `Not known yet: ${listText(hidden.flatMap((mark) => mark.nouns.map((noun) => factText(story, mark, noun, axis))))}.`;
    const view = axis === 'known_now' ? 'as known now, by' : 'as known on';
    return `The claim was ${statusText(step)}, ${view} ${day}. ${axis === 'known_now' ? '' : unknown}`.trim();
  }
  const [from, until] = [Math.min(at, other), Math.max(at, other)];
  const [start, end] = [shortInstant(story, from, until), shortInstant(story, until, from)];
  const facts = marksBetween(marks, from, until, axis).flatMap((mark) =>
    mark.nouns.map((noun) => factText(story, mark, noun, axis)),
  );
  const count = `${facts.length} fact${facts.length === 1 ? '' : 's'}`;
  const list = facts.length === 0 ? '.' : `: ${listText(facts)}.`;
  const nothing = facts.length === 0 ? 'nothing' : `of ${count}`;
  const learned =
    axis === 'known_now'
      ? `Between ${start} and ${end} ${facts.length === 0 ? 'nothing' : count} took effect, as known now${list}`
      : `Between ${start} and ${end} we learned ${nothing}${list}`;
  const [before, after] = [stepAt(steps, from), stepAt(steps, until)];
  const status =
    after === null
      ? ' The claim did not exist at either.'
      : before === null
        ? ` The claim did not exist on ${start}; on ${end} it was ${statusText(after)}.`
        : before.status === after.status
          ? ` The status stayed ${statusText(after)}.`
          : ` The status changed from ${statusText(before)} to ${statusText(after)}.`;
  return learned + status;
}

function listText(items: readonly string[]): string {
  const rest = items.length - LISTED;
  return rest > 1 ? `${items.slice(0, LISTED).join('; ')}; and ${rest} more` : items.join('; ');
}

const ROWS: readonly (readonly [keyof Amounts, string])[] = [
  ['billed', 'Billed'],
  ['payer_liability', 'Payer owes in all'],
  ['patient_responsibility', 'Patient owes'],
  ['adjustment', 'Adjustment'],
  ['remitted', 'Advised by remittances'],
  ['settled', 'Settled'],
  ['outstanding', 'Outstanding from the payer'],
];

/** A row of the table of differences: its texts, and whether the values at A and B differ. */
export interface Row {
  readonly name: string;
  readonly label: string;
  readonly at: string;
  readonly other: string | null;
  readonly change: string | null;
  readonly differs: boolean;
}

const NONE = 'no decision';
const ABSENT = 'no claim';

/** Returns the rows of the table of a view: the status and every amount at A, and with B the value at B and the change from B to A. */
export function rowsOfTable(story: Story, { at, other, axis }: View): Row[] {
  const steps = stepsOn(story, axis);
  const shown = stepAt(steps, at);
  const compared = other === null ? null : stepAt(steps, other);
  const hasOther = other !== null;
  const status = (step: Step | null) => (step === null ? ABSENT : statusText(step));
  const value = (step: Step | null, name: keyof Amounts) => {
    if (step === null) return ABSENT;
    const amount = step.amount[name];
    return amount === null ? NONE : amountText(amount);
  };
  const change = (name: keyof Amounts) => {
    const [to, from] = [shown?.amount[name] ?? null, compared?.amount[name] ?? null];
    if (value(shown, name) === value(compared, name)) return 'same';
    if (to === null && from === null) return 'changed';
    return amountText((to ?? 0) - (from ?? 0), 'always').replace(/^0\.00$/, 'changed');
  };
  return [
    {
      name: 'status',
      label: 'Status',
      at: status(shown),
      other: hasOther ? status(compared) : null,
      change: hasOther ? (status(shown) === status(compared) ? 'same' : 'changed') : null,
      differs: hasOther && status(shown) !== status(compared),
    },
    ...ROWS.map(([name, label]) => ({
      name,
      label,
      at: value(shown, name),
      other: hasOther ? value(compared, name) : null,
      change: hasOther ? change(name) : null,
      differs: hasOther && value(shown, name) !== value(compared, name),
    })),
  ];
}

/** Returns the table of a view as HTML. */
export function tableOf(story: Story, view: View): string {
  const rows = rowsOfTable(story, view);
  const cell = (text: string, label: string) =>
    `<td class="number" data-label="${escapeText(label)}">${escapeText(text)}</td>`;
  const [a, b] = [
    `A: ${instantText(story, view.at)}`,
    view.other === null ? null : `B: ${instantText(story, view.other)}`,
  ];
  const head = [...(b === null ? [] : [b]), a, ...(b === null ? [] : ['Change from B to A'])];
  const body = rows.map(({ name, label, at, other, change, differs }) => {
    const cells = [
      ...(other === null || b === null ? [] : [cell(other, b)]),
      cell(at, a),
      ...(change === null ? [] : [cell(change, 'Change')]),
    ];
    return `<tr data-name="${name}"${differs ? ' class="differs"' : ''}><th scope="row">${escapeText(label)}</th>${cells.join('')}</tr>`;
  });
  const caption = `${story.currency}, ${view.axis === 'known_now' ? `as known now (${instantText(story, Date.parse(story.now))})` : 'as known then'}`;
  return `<table class="tt-table"><caption>${escapeText(caption)}</caption><thead><tr><td></td>${head
    .map((text) => `<th scope="col" class="number">${escapeText(text)}</th>`)
    .join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
}

/** Describes the picture for people who do not see it: each fact with both times. */
export function descriptionOf(story: Story): string {
  const zone = new Zone(story.time_zone);
  return drawnMarksOf(story)
    .map(({ nouns, effective, recorded, lag }) =>
      lag === null
        ? `${nouns.join(' and ')}: ${zone.day(effective, true)}, learned at once.`
        : `${nouns.join(' and ')}: took effect ${zone.day(effective, true)}, learned ${zone.day(recorded, true)}, ${lag}.`,
    )
    .join(' ');
}

/** The instants to which a person moves a cutoff. */
interface Moves {
  /** The instants at which a fact begins to count, ascending. */
  readonly facts: readonly number[];
  readonly first: number;
  readonly now: number;
}

function movesOf(story: Story, axis: Axis): Moves {
  const marks = marksOf(story);
  const facts = [...new Set(marks.map((mark) => countsFrom(mark, axis)))].sort((a, b) => a - b);
  return { facts, first: facts[0] ?? Date.parse(story.now), now: Date.parse(story.now) };
}

/** A move of a cutoff: to the fact before or after it, by a day to the end of a day, or to an end of the calendar. */
export type Move = 'fact-before' | 'fact-after' | 'day-before' | 'day-after' | 'first' | 'now';

/** Returns where a move takes a cutoff, between the first instant of the calendar `from` and now. */
export function moved(story: Story, axis: Axis, at: number, move: Move, from: number): number {
  const { facts, now } = movesOf(story, axis);
  const zone = new Zone(story.time_zone);
  const target = () => {
    switch (move) {
      case 'fact-before':
        return facts.findLast((fact) => fact < at) ?? from;
      case 'fact-after':
        return facts.find((fact) => fact > at) ?? now;
      case 'day-before':
        return zone.endOfDay(at, -1);
      case 'day-after':
        return zone.isEndOfDay(at) ? zone.endOfDay(at, 1) : zone.endOfDay(at);
      case 'first':
        return from;
      case 'now':
        return now;
    }
  };
  return Math.min(now, Math.max(from, target()));
}

/** Cutoffs that people ask for: now, the end of last month, and just before the last change. Those before the claim existed are left out. */
export function presetsOf(story: Story, axis: Axis): { readonly label: string; readonly at: number }[] {
  const zone = new Zone(story.time_zone);
  const { facts, first, now } = movesOf(story, axis);
  const monthEnd = zone.endOfLastMonth(now);
  const last = facts.at(-1) ?? now;
  return [
    { label: 'now', at: now },
    ...(existsAt(story, monthEnd, axis) ? [{ label: 'end of last month', at: monthEnd }] : []),
    ...(last > first ? [{ label: 'before the last change', at: last - 1 }] : []),
  ];
}
