/** SQL with parameters, written as template texts that can be nested. */
import { join, raw, Sql as Template } from 'sql-template-tag';

/** A part of a statement. */
export type Fragment = Template;

/**
 * Executes statements: the pool, a transaction or a session. A statement is sent when it is first awaited, and can be a part of another
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

type Send = (statement: Template) => Promise<Row[]>;

/** A statement that is sent once: when it is first awaited or {@link execute} is called. */
export class Statement<Rows> extends Template implements PromiseLike<Rows> {
  private sent: Promise<Rows> | null = null;

  constructor(
    strings: readonly string[],
    values: readonly unknown[],
    private readonly send: Send,
  ) {
    super(strings, values);
  }

  execute(): Promise<Rows> {
    this.sent ??= this.send(this) as Promise<unknown> as Promise<Rows>;
    return this.sent;
  }

  // biome-ignore lint/suspicious/noThenProperty: a statement is awaited
  then<Result = Rows, Failure = never>(
    onResult?: ((rows: Rows) => Result | PromiseLike<Result>) | null,
    onFailure?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.execute().then(onResult, onFailure);
  }

  catch<Failure>(onFailure: (error: unknown) => Failure | PromiseLike<Failure>): Promise<Rows | Failure> {
    return this.execute().catch(onFailure);
  }

  finally(onEnd: () => void): Promise<Rows> {
    return this.execute().finally(onEnd);
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
