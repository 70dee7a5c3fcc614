/**
 * Reads a form that a person sent: texts, amounts in major units, and the fields that an API error names. What is wrong is collected, so that
 * the person sees all problems at once.
 */
import {
  type DateReading,
  decimalMarkOf,
  formatInstant,
  readAmount,
  readInstantText,
} from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import type { ComponentChildren } from 'preact';
import type { Project } from './operations';

const MAX_REASON_LENGTH = 200;

/** The labels of a form's fields by their names. */
export type Labels = Readonly<Record<string, string>>;

/** What is wrong with a field. */
export interface FieldProblem {
  /** The name of the field. */
  readonly field: string;
  /** Words that follow the label of the field, such as "must not be empty". */
  readonly problem: string;
}

/** A form that the console rejects before any service gets it. */
export class FormError extends ApiError {
  constructor(readonly problems: readonly FieldProblem[]) {
    super('validation_failed', `${problems.map(({ field, problem }) => `${field} ${problem}`).join('; ')}.`);
  }
}

/** A form that was rejected, with what the person typed. */
export interface RejectedForm {
  readonly form: URLSearchParams;
  readonly problems: readonly FieldProblem[];
  /** What is wrong apart from the fields; null if the problems say all, or if nothing is wrong and the person wants to change the form. */
  readonly message: string | null;
}

/** What a pattern of the contract means in words. The contract has these patterns in `inputs/fields.ts`. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\^\[a-z0-9_\]/, 'must be small letters, digits and _ only, such as fee_schedule'],
  [/\^\[A-Za-z\]\[A-Za-z0-9:_-\]/, 'must start with a letter, and have letters, digits and : _ - only'],
  [
    /\^\[A-Za-z0-9\]\[A-Za-z0-9:/,
    'must start with a letter or digit, and have letters, digits and : . _ / - only',
  ],
];

/** Returns the problem in words of people: the API names a pattern or a number of characters. */
function inWords(problem: string): string {
  if (problem === 'must have at least 1 character' || problem === 'is required') return 'must not be empty';
  const [, words] =
    PATTERNS.find(([pattern]) => problem.startsWith('must match ') && pattern.test(problem)) ?? [];
  return words ?? problem;
}

/**
 * Finds the fields that an API error names. The API names each invalid field of a body by its JSON pointer at the start of a sentence part.
 *
 * @param fieldOf returns the name of the form's field for the steps of a pointer; undefined if the form has no such field
 */
export function rejectionOf(
  error: ApiError,
  form: URLSearchParams,
  fieldOf: (steps: readonly string[]) => string | undefined,
): RejectedForm {
  if (error instanceof FormError) return { form, problems: error.problems, message: null };
  const parts = error.message.replace(/\.$/, '').split('; ');
  const problems: FieldProblem[] = [];
  const others: string[] = [];
  for (const part of parts) {
    const [, pointer = '', problem = ''] = /^(\/\S+) (.+)$/s.exec(part) ?? [];
    const field = fieldOf(pointer.split('/').slice(1));
    if (field === undefined) others.push(part);
    else if (!problems.some((each) => each.field === field))
      problems.push({ field, problem: inWords(problem) });
  }
  return { form, problems, message: others.length === 0 ? null : `${others.join('; ')}.` };
}

/** Reads the fields of a form, and collects their problems, so that a person sees all of them at once. */
export class FormReader {
  private readonly problems: FieldProblem[] = [];

  /** @param context the language and the time zone of the project, and the services' time */
  constructor(
    readonly form: URLSearchParams,
    private readonly context: {
      readonly project: Pick<Project, 'locale' | 'time_zone'>;
      readonly now: string;
    },
  ) {}

  /** Returns the trimmed text of a field; it can be empty. */
  text(name: string): string {
    return (this.form.get(name) ?? '').trim();
  }

  /** Returns the trimmed text of a field; an empty one is a problem. */
  required(name: string): string {
    const text = this.text(name);
    if (text === '') this.reject(name, 'must not be empty');
    return text;
  }

  /** Returns the amount of a field in minor units. */
  amount(name: string, currency: string): number {
    const read = readAmount(this.text(name), currency, decimalMarkOf(this.context.project.locale));
    if (read.ok) return read.amount;
    this.reject(name, read.problem);
    return 0;
  }

  /** Returns the instant of a field in the form of the API, or null if the field is empty and `isRequired` is false. */
  instant(name: string, edge: DateReading['edge'], isPast: boolean, isRequired = true): string | null {
    const text = this.text(name);
    if (text === '' && !isRequired) return null;
    const { project, now } = this.context;
    const { locale, time_zone: timeZone } = project;
    const read = readInstantText(text, { locale, timeZone, now: Date.parse(now), edge, isPast });
    if (read.ok) return formatInstant(read.at);
    this.reject(name, read.problem);
    return null;
  }

  /** Returns the texts between the commas of a field, without empty ones; none is a problem. */
  list(name: string): string[] {
    return this.required(name)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  /** Returns the reason that the audit log records with an act. */
  reason(name: string): string {
    const reason = this.required(name);
    if (reason.length > MAX_REASON_LENGTH)
      this.reject(name, `must have at most ${MAX_REASON_LENGTH} characters`);
    return reason;
  }

  /** The idempotency key of the form. */
  get key(): string | undefined {
    return this.form.get('key') ?? undefined;
  }

  reject(field: string, problem: string): void {
    this.problems.push({ field, problem });
  }

  /** The problems that were found so far. */
  get found(): readonly FieldProblem[] {
    return this.problems;
  }

  /** The form with the problems that were found so far, for a page that shows them beside the fields. */
  get rejected(): RejectedForm {
    return { form: this.form, problems: this.problems, message: null };
  }

  /** @throws FormError if a field has a problem */
  check(): void {
    if (this.problems.length > 0) throw new FormError(this.problems);
  }
}

/** The effect of an act, which a person confirms. */
export interface Preview {
  readonly title: string;
  /** What will be different after the act. */
  readonly effect: ComponentChildren;
  /** The label of the button that executes the act. */
  readonly confirm: string;
  /**
   * The values on which the effect depends. If they have changed before the person confirms, the effect is shown again.
   */
  readonly basis: string;
  /** Values that replace those of the form, such as an amount with its currency, as which the audit log records it. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Returns the form with the values that the preview replaces. */
export function confirmedForm(form: URLSearchParams, { fields = {} }: Preview): URLSearchParams {
  const changed = new URLSearchParams(form);
  for (const [name, value] of Object.entries(fields)) changed.set(name, value);
  return changed;
}
