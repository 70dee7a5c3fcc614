/**
 * Reads what the statements of an API read cost: executes the operation with the service's own handler, and then runs EXPLAIN for each SQL
 * statement twice: with a plan for the statement's values, and with the generic plan, which PostgreSQL uses after some executions.
 */
import { benefitsHandlers } from '@carecover/benefits';
import { careHandlers } from '@carecover/care';
import { bulkJobHandlers, claimsHandlers, valuationRunHandlers } from '@carecover/claims';
import type { OperationInput, ServiceName } from '@carecover/contract';
import { paymentsHandlers } from '@carecover/payments';
import {
  connectPostgres,
  constantText,
  type Db,
  type Sql,
  type StatementListener,
} from '@carecover/postgres';
import { deliveryHandlers, endpointHandlers, withIndexPlansOnly } from '@carecover/webhooks';
import { ourCall } from '../recording/our-call';
import type { ReadInput } from './requests';

export interface PlanCost {
  /** Pages of 8 kB that were read, from memory or from disk. */
  readonly pages: number;
  /** Rows that the statements return. */
  readonly rows: number;
  /** Rows that were read and did not meet a condition. */
  readonly discarded: number;
  /** Descents of an index. Each reads as many pages as the index has levels, which grow slowly with the table. */
  readonly descents: number;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Loops': number;
  readonly 'Actual Rows': number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly 'Index Searches'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: PlanNode }[];
}

type SentStatement = { readonly text: string; readonly parameters: Parameters<StatementListener>[1] };

/** Stands for the dependencies of a handler except the database. The handlers of reads do not use them. */
const NOTHING = {} as never;

function handlersOf(service: ServiceName, sql: Sql): object {
  switch (service) {
    case 'care':
      return careHandlers(sql, NOTHING);
    case 'benefits':
      return benefitsHandlers({ sql } as Parameters<typeof benefitsHandlers>[0]);
    case 'claims':
      // The claims service has only surrogates of payers. They are not replaced by references here, because only benefits has the
      // references.
      return {
        ...claimsHandlers({ sql } as Parameters<typeof claimsHandlers>[0], () => async () => ({})),
        ...valuationRunHandlers(sql, NOTHING, () => async () => ({})),
        ...bulkJobHandlers({ sql } as Parameters<typeof bulkJobHandlers>[0]),
      };
    case 'payments':
      return paymentsHandlers({ sql } as Parameters<typeof paymentsHandlers>[0]);
    case 'webhooks':
      return {
        ...deliveryHandlers(sql),
        ...endpointHandlers({ sql } as Parameters<typeof endpointHandlers>[0]),
      };
    case 'gateway':
      throw new Error('the gateway reads no rows of claims');
  }
}

type Parameter = SentStatement['parameters'][number];

/** Returns a parameter's value as an SQL literal with the type that the statement declares for the parameter. */
function literal(value: Parameter): string {
  if (value === null) return 'null';
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  if (Array.isArray(value)) {
    const elements = value.map((each) => `"${String(each).replaceAll(/["\\]/g, '\\$&')}"`);
    return literal(`{${elements.join(',')}}`);
  }
  return `'${String(value).replaceAll("'", "''")}'`;
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function costOf(plan: PlanNode): PlanCost {
  const nodes = nodesOf(plan);
  const sum = (value: (node: PlanNode) => number) => nodes.reduce((total, node) => total + value(node), 0);
  return {
    pages: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0),
    rows: plan['Actual Rows'],
    discarded: sum(
      (node) =>
        node['Actual Loops'] *
        ((node['Rows Removed by Filter'] ?? 0) +
          (node['Rows Removed by Join Filter'] ?? 0) +
          (node['Rows Removed by Index Recheck'] ?? 0)),
    ),
    descents: sum(
      (node) => node['Index Searches'] ?? (/Index/.test(node['Node Type']) ? node['Actual Loops'] : 0),
    ),
  };
}

const MODES = ['force_custom_plan', 'force_generic_plan'];

/** Runs EXPLAIN for the statement in each of {@link MODES}, in one session. */
async function explain(db: Db, { text, parameters }: SentStatement): Promise<PlanCost[]> {
  const values = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`;
  const requests = [
    // A statement that takes longer than its service permits is a result of the measurement too.
    'set statement_timeout = 0',
    `prepare explained as ${text}`,
    ...MODES.flatMap((mode) => [
      `set plan_cache_mode = ${mode}`,
      `explain (analyze, buffers, timing off, format json) execute explained${values}`,
    ]),
    'deallocate explained',
  ];
  const costs: PlanCost[] = [];
  for (const request of requests) {
    const [row] = await db<Explained[]>`${constantText(request)}`;
    if (row !== undefined) costs.push(...row['QUERY PLAN'].map(({ Plan }) => costOf(Plan)));
  }
  return costs;
}

const add = (a: PlanCost, b: PlanCost): PlanCost => ({
  pages: a.pages + b.pages,
  rows: a.rows + b.rows,
  discarded: a.discarded + b.discarded,
  descents: a.descents + b.descents,
});
const NO_COST: PlanCost = { pages: 0, rows: 0, discarded: 0, descents: 0 };

/** Runs EXPLAIN for the SQL statements of API reads, and returns their costs. */
export class Plans {
  private readonly services = new Map<ServiceName, { sql: Sql; explaining: Sql; handlers: object }>();
  private sent: SentStatement[] = [];

  constructor(
    private readonly databaseUrl: (service: string) => string,
    private readonly projectId: string,
  ) {}

  private serviceOf(name: ServiceName) {
    const known = this.services.get(name);
    if (known !== undefined) return known;
    const plain = this.databaseUrl(name);
    const url = name === 'webhooks' ? withIndexPlansOnly(plain) : plain;
    const sql = connectPostgres(url, 1, 'bench-plans', {
      listener: (text, parameters) => {
        this.sent.push({ text, parameters });
      },
    });
    const explaining = connectPostgres(url, 1, 'bench-explain', { responseTimeoutMs: null });
    const service = { sql, explaining, handlers: handlersOf(name, sql) };
    this.services.set(name, service);
    return service;
  }

  /**
   * Returns the costs of a read, added up over its statements. Of the two plans of a statement, custom and generic, the higher costs count.
   */
  async costOf({ operation, params, query }: ReadInput): Promise<PlanCost> {
    const { explaining, handlers } = this.serviceOf(operation.service);
    const handler = (handlers as Record<string, (call: unknown) => Promise<unknown>>)[operation.id];
    if (handler === undefined) throw new Error(`no handler of ${operation.id}`);
    this.sent = [];
    const input = { params, query } as Partial<OperationInput>;
    await handler(ourCall(operation.id, this.projectId, input));
    const statements = this.sent.filter(({ text }) =>
      /^\s*(\(|select|with|insert|update|delete)/i.test(text),
    );
    let cost = NO_COST;
    for (const statement of statements) {
      cost = add(cost, highest(await explaining.session((db) => explain(db, statement))));
    }
    return cost;
  }

  async close(): Promise<void> {
    for (const { sql, explaining } of this.services.values()) {
      await sql.end();
      await explaining.end();
    }
  }
}

/** Returns the highest value of each cost in the list. */
export function highest(costs: readonly PlanCost[]): PlanCost {
  const most = (value: (cost: PlanCost) => number) => Math.max(0, ...costs.map(value));
  return {
    pages: most(({ pages }) => pages),
    rows: most(({ rows }) => rows),
    discarded: most(({ discarded }) => discarded),
    descents: most(({ descents }) => descents),
  };
}
