/** The types of recorded SQL statements, in a form that can be sent to another process as JSON. */

export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** Whether the statement was sent together with the previous statement, without waiting for that statement's result. */
  readonly isPipelined?: boolean;
}

/** SQL statements that one service sent in succession for a command. */
interface Step {
  readonly command: string;
  readonly service: string;
  readonly statements: readonly Statement[];
}

export interface Recording {
  /** The start of the recording in epoch milliseconds. Identifiers with a later creation time were created in the recording. */
  readonly startedAt: number;
  readonly steps: readonly Step[];
}

interface Encoded {
  readonly $bytes: string;
}

/** Encodes a parameter for JSON: bytes as an object, other values unchanged. */
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
