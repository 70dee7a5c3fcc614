/** SQL with parameters, written as template texts that can be nested. */
import template, { join, raw, Sql as Template } from 'sql-template-tag';

/** A part of a statement. */
export type Fragment = Template;

/**
 * Executes statements: the pool, a transaction or a session. A statement is sent when it is awaited, and can be a part of another
 * statement. Values become parameters; fragments, such as {@link identifier} and {@link insertedRows}, become text.
 *
 * @throws TypeError if a value can't be a parameter
 * @example const rows = await db<{ id: string }[]>`select id from claims where project_id = ${tenant}`;
 */
export type Db = <Rows extends readonly object[] = Row[]>(
  strings: TemplateStringsArray,
  ...values: readonly unknown[]
) => Statement<Rows>;

// biome-ignore lint/suspicious/noExplicitAny: the columns of a row are known only where the statement is written
export type Row = Record<string, any>;

export type Send = (statement: Template) => Promise<Row[]>;

/** The property of a query with the function that sends its statements: each transaction and the pool have a function of their own. */
export const sender: unique symbol = Symbol('sender');
/** The method of a query that sends its statements before it returns. Only a pipeline calls it; other code awaits the query. */
export const sendNow: unique symbol = Symbol('sendNow');

/**
 * A statement, or several that are sent together (`Tx.pipeline`), with its result. It is sent when it is awaited, alone or as a part of
 * a pipeline, and only once. A query that nothing awaits is never sent: `npm run lint` reports it.
 */
export interface Query<Result> extends PromiseLike<Result> {
  readonly [sender]: Send;
  [sendNow](): Promise<Result>;
  /**
   * Returns this query with another result. An error that `convert` throws rejects the query.
   *
   * @example tx`select platform.now() as now`.withResult(([row]) => row?.now);
   */
  withResult<Other>(convert: (result: Result) => Other): Query<Other>;
}

/** A query that is sent by a function, which must send its statements before it returns. */
export class DeferredQuery<Result> implements Query<Result> {
  readonly [sender]: Send;
  private sent: Promise<Result> | null = null;

  constructor(
    owner: Send,
    private readonly send: () => Promise<Result>,
  ) {
    this[sender] = owner;
  }

  [sendNow](): Promise<Result> {
    this.sent ??= this.send();
    return this.sent;
  }

  // biome-ignore lint/suspicious/noThenProperty: a query is awaited
  then<Value = Result, Failure = never>(
    onResult?: ((result: Result) => Value | PromiseLike<Value>) | null,
    onFailure?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this[sendNow]().then(onResult, onFailure);
  }

  withResult<Other>(convert: (result: Result) => Other): Query<Other> {
    return new DeferredQuery(this[sender], async () => convert(await this[sendNow]()));
  }
}

/** One statement, which can also be a part of the text of another statement. */
export class Statement<Rows> extends Template implements Query<Rows> {
  readonly [sender]: Send;
  private readonly query: DeferredQuery<Rows>;

  constructor(strings: readonly string[], values: readonly unknown[], send: Send) {
    super(strings, values);
    this[sender] = send;
    this.query = new DeferredQuery(send, () => send(this) as Promise<unknown> as Promise<Rows>);
  }

  [sendNow](): Promise<Rows> {
    return this.query[sendNow]();
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement is awaited
  then<Result = Rows, Failure = never>(
    onResult?: ((rows: Rows) => Result | PromiseLike<Result>) | null,
    onFailure?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.query.then(onResult, onFailure);
  }

  catch<Failure>(onFailure: (error: unknown) => Failure | PromiseLike<Failure>): Promise<Rows | Failure> {
    return this.then(null, onFailure);
  }

  withResult<Other>(convert: (rows: Rows) => Other): Query<Other> {
    return this.query.withResult(convert);
  }
}

/** Makes a template tag whose statements are sent with `send`. */
export function tagOf(send: Send): Db {
  return (strings, ...values) => new Statement(strings, values, send);
}

/** Inserts a text into a statement as SQL. The text must be a constant of the program. */
export function constantText(text: string): Fragment {
  return raw(text);
}

/** Quotes the name of a table, also with its schema, or of a column. */
export function identifier(name: string): Fragment {
  const parts = name.split('.').map((part) => `"${part.replaceAll('"', '""')}"`);
  return raw(parts.join('.'));
}

/** Lists the quoted names of columns. */
export function columns(names: readonly string[]): Fragment {
  return join(names.map(identifier), ', ');
}

/**
 * Returns the columns and values of rows for `insert into`. All rows must have the same properties as the first row.
 *
 * @example await tx`insert into claims ${insertedRows({ id, status: 'submitted' })}`;
 */
export function insertedRows(...rows: readonly Readonly<Row>[]): Fragment {
  const names = Object.keys(rows[0] ?? {});
  const valuesOf = (row: Readonly<Row>) => names.map((name) => row[name]);
  const values = rows.map((row) => join(valuesOf(row), ', ', '(', ')'));
  return join([join([columns(names)], '', '(', ')'), join(values)], ' values ');
}

/**
 * Returns the columns and the rows of an `insert` of any number of rows, of which all have the columns of the first one. The text is that of
 * one row, so the statement stays prepared. Dates and arrays are sent as JSON.
 *
 * @param order the columns by which the rows are inserted, which prevents deadlocks with concurrent inserts of rows with the same values
 * @example await tx`insert into claims ${insertedSet('claims', rows, 'id')} on conflict do nothing`;
 */
export function insertedSet(table: string, rows: readonly Readonly<Row>[], order: string): Fragment {
  const names = columns(Object.keys(rows[0] ?? {}));
  return template`(${names}) select ${names} from jsonb_populate_recordset(null::${identifier(table)}, ${jsonb(rows)}) order by ${identifier(order)}`;
}

/**
 * Returns the assignments of an `update`.
 *
 * @example await tx`update claims set ${assignments({ status: 'denied' })} where id = ${id}`;
 */
export function assignments(row: Readonly<Row>): Fragment {
  return join(Object.entries(row).map(([name, value]) => join([identifier(name), value], ' = ')));
}

/** Returns any value as a jsonb parameter, serialized as JSON.stringify does. */
export function jsonb(value: unknown): string {
  return JSON.stringify(value);
}
