/** Measures SQL: the statements of a command, their round trips, and what their plans read. */

import { connectPostgres, SESSION_SETTINGS, type Sql, withSessionSettings } from '@carecover/postgres';
import { Client } from 'pg';

export interface StatementCost {
  /** Number of statements, including `begin` and `commit`. */
  readonly statements: number;
  /** Number of batches. The statements of a batch are sent without waiting for a response in between. */
  readonly roundTrips: number;
}

export interface CountingSql {
  readonly sql: Sql;
  /** Counts the statements of `work`. Run the work once before, so that its statements are prepared. */
  costOf(work: () => Promise<unknown>): Promise<StatementCost>;
}

/** Opens a connection that counts its statements. The calling code must close it. */
export function countStatements(url: string): CountingSql {
  let statements = 0;
  let roundTrips = 0;
  let isBatchOpen = false;
  const sql = connectPostgres(url, 1, 'counting', {
    listener: (text) => {
      // The notification after commits belongs to no command: one is sent for all commits of some milliseconds.
      if (text.includes('pg_notify')) return;
      statements += 1;
      if (isBatchOpen) return;
      isBatchOpen = true;
      roundTrips += 1;
      // All statements that are sent in this turn of the event loop are one batch: no response can be read before the next turn.
      setImmediate(() => {
        isBatchOpen = false;
      });
    },
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

/** Counts the statements that this process sends to PostgreSQL during `work`, over all of its connections. */
export async function countSentDuring(work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.length;
  } finally {
    query.mockRestore();
  }
}

/** A statement as it is sent to PostgreSQL: its text, and the values of its parameters. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface PlanCost {
  /** Number of pages of tables and indexes that were read. */
  readonly pages: number;
  /** Number of rows that were read and did not meet the conditions. */
  readonly discarded: number;
}

interface PlanNode {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

function discardedBy(node: PlanNode): number {
  const own = (node['Rows Removed by Filter'] ?? 0) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, child) => sum + discardedBy(child), own);
}

/**
 * Executes a statement with a custom plan (for its values) and then with the generic plan. Returns for each cost the larger of the two
 * values.
 */
export async function costOfPlans(url: string, { text, values }: SentStatement): Promise<PlanCost> {
  const client = new Client({ connectionString: withSessionSettings(url, SESSION_SETTINGS) });
  await client.connect();
  try {
    await client.query(`prepare measured as ${text}`);
    const literals = values
      .map((value) => client.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value)))
      .join(', ');
    const costs: PlanCost[] = [];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`);
      const { rows } = await client.query(
        `explain (analyze, buffers, timing off, format json) execute measured (${literals})`,
      );
      const plan: PlanNode = rows[0]['QUERY PLAN'][0].Plan;
      const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      costs.push({ pages, discarded: discardedBy(plan) });
    }
    return {
      pages: Math.max(...costs.map(({ pages }) => pages)),
      discarded: Math.max(...costs.map(({ discarded }) => discarded)),
    };
  } finally {
    await client.end();
  }
}
