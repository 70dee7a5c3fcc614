/** Counts what a command costs the database: statements, and round trips in which they are sent. */
import { connectPostgres, type Sql } from '@carecover/platform';

export interface StatementCost {
  /** Transaction control included. */
  readonly statements: number;
  /** Batches of statements that were sent without waiting for an answer between them. */
  readonly roundTrips: number;
}

export interface CountingSql {
  readonly sql: Sql;
  /** What `work` costs once every statement of it is prepared: give it work that was done before. */
  costOf(work: () => Promise<unknown>): Promise<StatementCost>;
}

/** One connection, on which statements are counted. The caller ends it. */
export function countStatements(url: string): CountingSql {
  let statements = 0;
  let roundTrips = 0;
  let isBatchOpen = false;
  const sql = connectPostgres(url, 1, 'counting', () => {
    statements += 1;
    if (isBatchOpen) return;
    isBatchOpen = true;
    roundTrips += 1;
    // Answers are read in a later turn of the event loop.
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
