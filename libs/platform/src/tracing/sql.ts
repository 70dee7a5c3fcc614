/**
 * A span for each statement and each transaction, by wrapping the client; done only while tracing is on. A statement is named by
 * its verb and its table, which are in its constant text; its parameters are never looked at.
 */
import type { Span } from '@opentelemetry/api';
import type { Sql, Tx } from '../postgres';
import { activeSpan, beginSpan, noteFailure, SpanKind, traced } from './spans';

/** A statement of postgres.js: a promise that sends it when it is first waited for. */
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

/** The name of the first part of a statement that is put together of others. */
const PART = /\bwith\s+([a-z_]+)\s+as\b/;

/**
 * Verb and table of a statement: of `with … insert into claims …`, `insert` and `claims`. A statement whose writes are all in other
 * fragments is named by its first part: `with fact`.
 */
export function summaryOf(parts: TemplateStringsArray): Summary {
  const known = summaries.get(parts);
  if (known !== undefined) return known;
  const text = parts.join(' ? ');
  const [, insert, remove, update, written] = WRITE.exec(text) ?? [];
  const part = PART.exec(text)?.[1];
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

function withSpan(statement: Statement, parts: TemplateStringsArray): Statement {
  // Asked where the statement is written: it may be waited for elsewhere.
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
      const span = beginSpan(parent, name, SpanKind.CLIENT, attributes);
      if (span !== null) endWith(span, statement);
    }
    return send.call(statement);
  };
  return statement;
}

/** Ends the span with the statement, without making it be sent, as its own `then` would. */
function endWith(span: Span, statement: Statement): void {
  const ended = () => span.end();
  Promise.prototype.then.call(statement, ended, (error: unknown) => {
    noteFailure(span, error);
    span.end();
  });
}

type Work = (tx: Tx) => unknown;

/** The client with spans. Outside a recorded span it is as before. */
export function traceStatements<Client extends Sql | Tx>(client: Client): Client {
  return new Proxy(client, {
    apply(target, self, args: unknown[]) {
      const made: unknown = Reflect.apply(target, self, args);
      const [parts] = args;
      return isTemplate(parts) ? withSpan(made as Statement, parts) : made;
    },
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if ((name !== 'begin' && name !== 'savepoint') || typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const work = args.at(-1) as Work;
        const inside = [...args.slice(0, -1), (tx: Tx) => work(traceStatements(tx))];
        const run = () => Reflect.apply(member, target, inside) as Promise<unknown>;
        return name === 'begin' ? traced('transaction', SpanKind.CLIENT, run) : run();
      };
    },
  });
}
