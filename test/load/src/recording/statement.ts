/** Recorded statements, in a form that can be sent to another process as JSON. */

export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** The OIDs of the parameters' types; 0 lets the server decide. */
  readonly types: readonly number[];
  /** Whether it was sent together with the statement before it, without waiting for its result. */
  readonly isPipelined?: boolean;
}

/** Statements that one service sent in a row for a command. */
interface Step {
  readonly command: string;
  readonly service: string;
  readonly statements: readonly Statement[];
}

export interface Recording {
  /** The start of the recording in epoch milliseconds. Identifiers created later belong to the recorded work. */
  readonly startedAt: number;
  readonly steps: readonly Step[];
}

type Encoded = { readonly $date: string } | { readonly $bytes: string };

/** Encodes dates and bytes as objects for JSON. */
export function encode(value: unknown): unknown {
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Buffer.isBuffer(value)) return { $bytes: value.toString('base64') };
  return value;
}

export function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const encoded = value as Partial<Encoded & Record<string, string>>;
  if (typeof encoded.$date === 'string') return new Date(encoded.$date);
  if (typeof encoded.$bytes === 'string') return Buffer.from(encoded.$bytes, 'base64');
  return value;
}
