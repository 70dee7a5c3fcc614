/** Statements as they were sent, in a form that goes from one process to another as JSON. */

export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** OIDs; 0 where the server decides. */
  readonly types: readonly number[];
}

/** Statements sent for one part of the work. */
export interface Step {
  readonly name: string;
  readonly statements: readonly Statement[];
}

export interface Recording {
  /** Epoch milliseconds: what was made since was made by the work itself. */
  readonly startedAt: number;
  readonly steps: readonly Step[];
}

type Encoded = { readonly $date: string } | { readonly $bytes: string };

/** Dates and bytes as objects that JSON keeps. */
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
