/**
 * The first statement of a transaction, sent with its `begin` in one round trip. The two share one synchronization point (Sync message)
 * of the protocol, so PostgreSQL skips the statement if `begin` fails: the statement is never executed outside of the transaction.
 */
import { Query, type QueryConfig, type QueryResult } from 'pg';
import type { Row } from './statement';

/** The methods of a `pg` connection that send protocol messages without a synchronization point (Sync message). */
interface Connection {
  bind(message: { readonly statement: string; readonly values: readonly never[] }): void;
  execute(message: object): void;
}

/** The methods of a `pg` query that its type does not declare. */
interface QueryParts {
  prepare(connection: Connection): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

type Done = (error: Error | null | undefined, result: QueryResult<Row>) => void;

const PgQuery = Query as unknown as new (
  config: QueryConfig,
  values: undefined,
  done: Done,
) => Query & QueryParts;

export class FirstStatement extends PgQuery {
  private hasBegun = false;

  /** Creates the statement. @param begin the name of the prepared statement `begin` of the session */
  constructor(
    private readonly begin: string,
    statement: QueryConfig,
    done: Done,
  ) {
    super(statement, undefined, done);
  }

  override prepare(connection: Connection): void {
    connection.bind({ statement: this.begin, values: [] });
    connection.execute({});
    super.prepare(connection);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.hasBegun) super.handleCommandComplete(message, connection);
    this.hasBegun = true;
  }
}
