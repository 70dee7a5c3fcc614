/**
 * Creates spans for statements and transactions if a span is active. The name of a span is the operation and table in the text of the
 * statement, and never contains a parameter.
 */
import { activeSpan, SpanKind, withSpan } from '@carecover/telemetry';
import type { Fragment } from './statement';

interface Summary {
  readonly operation: string;
  readonly table: string | null;
}

const WRITE = /\b(?:(insert) into|(delete) from|(update)(?=\s+[a-z_.]+(?:\s+[a-z]+)?\s+set\b))\s+([a-z_.]+)/;

/** Returns the operation and table of a statement: for `with … insert into claims …`, `insert` and `claims`. */
export function summaryOf(text: string): Summary {
  const [, insert, remove, update, written] = WRITE.exec(text) ?? [];
  return {
    operation: insert ?? remove ?? update ?? (/\bselect\b/.test(text) ? 'select' : 'statement'),
    table: written ?? /\bfrom\s+([a-z_.]+)/.exec(text)?.[1] ?? null,
  };
}

/** Sends a statement in a span, which ends with the statement's result. */
export function traceStatement<T>(statement: Fragment, send: () => Promise<T>): Promise<T> {
  if (activeSpan() === null) return send();
  const { operation, table } = summaryOf(statement.text);
  return withSpan(table === null ? operation : `${operation} ${table}`, SpanKind.CLIENT, send, {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    ...(table === null ? {} : { 'db.collection.name': table }),
  });
}

/** Runs a transaction in a span, which ends with the transaction. */
export function traceTransaction<T>(run: () => Promise<T>): Promise<T> {
  return withSpan('transaction', SpanKind.CLIENT, run);
}
