/**
 * Spans for statements and transactions, by a proxy around the client; only while tracing is on. A span is named by the operation and
 * table in the constant text of the statement, never by a parameter.
 */
import type { Span } from '@opentelemetry/api';
import type { Sql, Tx } from '../postgres';
import { activeSpan, recordFailure, SpanKind, startSpanBelow, withSpan } from './spans';

/** A statement of postgres.js: a promise that is sent when it is first awaited. */
interface Statement extends Promise<unknown> {
  readonly executed: boolean;
  handle(): Promise<void>;
}

interface Summary {
  readonly operation: string;
  readonly table: string | null;
}

const summaries = new WeakMap<TemplateStringsArray, Summary>();

const WRITE = /\b(?:(insert) into|(delete) from|(update)(?=\s+[a-z_.]+(?:\s+[a-z]+)?\s+set\b))\s+([a-z_.]+)/;

/** Finds the name of the first common table expression. */
const FIRST_CTE = /\bwith\s+([a-z_]+)\s+as\b/;

/**
 * Returns the operation and table of a statement: for `with … insert into claims …`, `insert` and `claims`. A statement whose writes
 * are all in other fragments is named by its first common table expression: `with fact`.
 */
export function summaryOf(parts: TemplateStringsArray): Summary {
  const known = summaries.get(parts);
  if (known !== undefined) return known;
  const text = parts.join(' ? ');
  const [, insert, remove, update, written] = WRITE.exec(text) ?? [];
  const part = FIRST_CTE.exec(text)?.[1];
  const other = part === undefined ? 'statement' : `with ${part}`;
  const summary = {
    operation: insert ?? remove ?? update ?? (/\bselect\b/.test(text) ? 'select' : other),
    table: written ?? /\bfrom\s+([a-z_.]+)/.exec(text)?.[1] ?? null,
  };
  summaries.set(parts, summary);
  return summary;
}

function isTemplate(value: unknown): value is TemplateStringsArray {
  return Array.isArray(value) && 'raw' in value;
}

function traceStatement(statement: Statement, parts: TemplateStringsArray): Statement {
  // The span of the code that makes the statement; it can be awaited elsewhere.
  const parent = activeSpan();
  if (parent === null) return statement;
  const { operation, table } = summaryOf(parts);
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    ...(table === null ? {} : { 'db.collection.name': table }),
  };
  const name = table === null ? operation : `${operation} ${table}`;
  const send = statement.handle;
  statement.handle = () => {
    if (!statement.executed) {
      const span = startSpanBelow(parent, name, SpanKind.CLIENT, attributes);
      if (span !== null) endWith(span, statement);
    }
    return send.call(statement);
  };
  return statement;
}

/** Ends the span with the statement. The statement's own `then` would send it, so the promise's is called. */
function endWith(span: Span, statement: Statement): void {
  const ended = () => span.end();
  Promise.prototype.then.call(statement, ended, (error: unknown) => {
    recordFailure(span, error);
    span.end();
  });
}

type Work = (tx: Tx) => unknown;

/** Returns the client with spans. It makes spans only below an active span. */
export function traceStatements<Client extends Sql | Tx>(client: Client): Client {
  return new Proxy(client, {
    apply(target, self, args: unknown[]) {
      const made: unknown = Reflect.apply(target, self, args);
      const [parts] = args;
      return isTemplate(parts) ? traceStatement(made as Statement, parts) : made;
    },
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if ((name !== 'begin' && name !== 'savepoint') || typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const work = args.at(-1) as Work;
        const inside = [...args.slice(0, -1), (tx: Tx) => work(traceStatements(tx))];
        const run = () => Reflect.apply(member, target, inside) as Promise<unknown>;
        return name === 'begin' ? withSpan('transaction', SpanKind.CLIENT, run) : run();
      };
    },
  });
}
