/** Recorded statements, in a form that can be sent to another process as JSON. */

export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
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

interface Encoded {
  readonly $bytes: string;
}

/** Encodes bytes as an object for JSON. */
export function encode(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return { $bytes: value.toString('base64') };
  return value;
}

export function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const encoded = value as Partial<Encoded>;
  if (typeof encoded.$bytes === 'string') return Buffer.from(encoded.$bytes, 'base64');
  return value;
}
