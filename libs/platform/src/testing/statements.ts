/** Counts the SQL statements of a command and the round trips in which they are sent. */
import { connectPostgres, type Sql } from '..';

export interface StatementCost {
  /** Includes transaction control. */
  readonly statements: number;
  /** Batches of statements that are sent without waiting for a response in between. */
  readonly roundTrips: number;
}

export interface CountingSql {
  readonly sql: Sql;
  /** Counts the statements of `work`. Run the work once before, so that its statements are prepared. */
  costOf(work: () => Promise<unknown>): Promise<StatementCost>;
}

/** Opens a connection that counts its statements. The caller closes it. */
export function countStatements(url: string): CountingSql {
  let statements = 0;
  let roundTrips = 0;
  let isBatchOpen = false;
  const sql = connectPostgres(url, 1, 'counting', () => {
    statements += 1;
    if (isBatchOpen) return;
    isBatchOpen = true;
    roundTrips += 1;
    // Responses are read in a later turn of the event loop.
    setImmediate(() => {
      isBatchOpen = false;
    });
  });
  return {
    sql,
    async costOf(work) {
      [statements, roundTrips] = [0, 0];
      await work();
      return { statements, roundTrips };
    },
  };
}
