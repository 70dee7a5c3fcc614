/**
 * A statement with what the driver's own class would send again each time:
 *
 * - PostgreSQL describes the columns of a prepared statement only in its first execution in a session. Their names and types can't change:
 *   after a change of a table that would change them, PostgreSQL rejects the statement.
 * - The first statement of a transaction is sent with its `begin` in one round trip. The two share one synchronization point (Sync message)
 *   of the protocol, so PostgreSQL skips the statement if `begin` fails: the statement is never executed outside of the transaction.
 */
import { Query, type QueryConfig, type QueryResult } from 'pg';
import type { Row } from './statement';

/** The methods of a `pg` connection that send protocol messages without a synchronization point (Sync message). */
interface Connection {
  bind(message: { readonly statement: string; readonly values: readonly never[] }): void;
  execute(message: object): void;
  describe(message: object): void;
}

/** What a `pg` result keeps of the description of its columns. */
interface Columns {
  readonly fields: unknown;
  readonly _parsers: unknown;
  readonly _prebuiltEmptyResultObject: unknown;
}

/** The members of a `pg` query that its type does not declare. */
interface QueryParts {
  readonly name?: string;
  readonly _result: Columns;
  _accumulateRows: boolean;
  hasBeenParsed(connection: Connection): boolean;
  requiresPreparation(): boolean;
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

type Done = (error: Error | null | undefined, result: QueryResult<Row>) => void;

const PgQuery = Query as unknown as new (
  config: QueryConfig,
  values: undefined,
  done: Done,
) => Query & QueryParts;

/** The columns of the statements that a session has described, by the name of the prepared statement. */
export type DescribedColumns = Map<string, Columns>;

export class PreparedStatement extends PgQuery {
  private isBeginComplete: boolean;

  /**
   * Creates the statement.
   *
   * @param begin the name of the prepared statement `begin` of the session, to send before the statement; null if the statement is not the
   *   first one of a transaction
   */
  constructor(
    private readonly begin: string | null,
    private readonly described: DescribedColumns,
    statement: QueryConfig,
    done: Done,
  ) {
    super(statement, undefined, done);
    this.isBeginComplete = begin === null;
  }

  /** Whether the `begin` that was sent with this statement failed, so that no transaction has begun. */
  get hasFailedToBegin(): boolean {
    return !this.isBeginComplete;
  }

  /** Without this, the driver would send a statement that has neither a name nor values without its `begin`. */
  override requiresPreparation(): boolean {
    return this.begin !== null || super.requiresPreparation();
  }

  override prepare(connection: Connection): void {
    if (this.begin !== null) {
      connection.bind({ statement: this.begin, values: [] });
      connection.execute({});
    }
    const columns = this.name === undefined ? undefined : this.described.get(this.name);
    if (columns === undefined || !this.hasBeenParsed(connection)) {
      super.prepare(connection);
      return;
    }
    Object.assign(this._result, columns);
    this._accumulateRows = true;
    const withoutDescription = Object.create(connection) as Connection;
    withoutDescription.describe = () => undefined;
    super.prepare(withoutDescription);
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message);
    this.keepColumns();
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isBeginComplete) {
      super.handleCommandComplete(message, connection);
      this.keepColumns();
    }
    this.isBeginComplete = true;
  }

  private keepColumns(): void {
    if (this.name === undefined || this.described.has(this.name)) return;
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.described.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}
