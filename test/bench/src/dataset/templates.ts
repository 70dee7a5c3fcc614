/**
 * Makes one claim of each kind through the API and reads all rows of all services that belong to it: the template of the kind. A row
 * belongs to the claim whose identifiers it contains. Identifiers that existed before the claim, such as the project's, do not assign a
 * row to a claim.
 */
import { eventTypes } from '@carecover/contract';
import { connectPostgres, constantText, type Sql } from '@carecover/postgres';
import { eventually } from '@carecover/testing/servers';
import type { BenchStack } from '../harness/bench-stack';
import { createInParallel } from '../harness/in-parallel';
import { keyOf, readRows, readTables, type StoredRow, type Table } from './catalogue';
import { type ClaimKind, kindNames, makeClaim } from './kinds';
import { idsIn } from './tokens';

export interface Template {
  readonly kind: ClaimKind;
  readonly rows: readonly StoredRow[];
  /** The identifiers that only rows of this claim contain. */
  readonly ids: readonly string[];
  /** The start of the claim's session in epoch milliseconds. */
  readonly startsAtMs: number;
}

/** The templates of a project: the rows of one claim of each kind. */
export interface Templates {
  readonly projectId: string;
  readonly tables: readonly Table[];
  readonly claims: readonly Template[];
  /** The identifiers that rows of several claims can contain. */
  readonly shared: ReadonlySet<string>;
}

/** Tables from which services delete a row after they have processed it, so that no row of a claim remains in them. */
const QUEUES = ['outbox', 'published_events', 'workflow_signals'];

/** Groups rows that share an identifier, directly or through other rows. Returns a function that returns the group of an identifier. */
export function groupById(
  rows: readonly StoredRow[],
  shared: ReadonlySet<string>,
): (id: string) => readonly StoredRow[] {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    const parent = parents.get(id) ?? id;
    if (parent === id) return id;
    const root = rootOf(parent);
    parents.set(id, root);
    return root;
  };
  const ownIds = rows.map(({ table, cells }) => idsIn(cells, table.columns).filter((id) => !shared.has(id)));
  for (const [first, ...others] of ownIds) {
    if (first !== undefined) for (const id of others) parents.set(rootOf(id), rootOf(first));
  }
  const groups = new Map<string, StoredRow[]>();
  for (const [index, row] of rows.entries()) {
    const first = ownIds[index]?.[0];
    if (first === undefined) continue;
    const root = rootOf(first);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [row]);
    else group.push(row);
  }
  return (id) => groups.get(rootOf(id)) ?? [];
}

const idOf = (identifierText: string) => identifierText.slice(identifierText.indexOf('_') + 1);

/** Reads the rows until the services have processed all events and two successive readings are equal. Returns the rows. */
async function readSettledRows(sql: Sql, tables: readonly Table[]): Promise<StoredRow[]> {
  const schemas = [...new Set(tables.map(({ name }) => name.split('.')[0]))].filter(
    (name) => name !== 'care',
  );
  const pending = schemas.map(
    (schema) => `
      exists (select 1 from ${schema}.outbox) or exists (select 1 from ${schema}.workflow_signals)
      or exists (select 1 from ${schema}.published_events p where not exists (select 1 from webhooks.events e where e.id = p.event_id))`,
  );
  let last = '';
  return eventually('all services have processed the rows of the claims', async () => {
    const [state] = await sql<{ isPending: boolean }[]>`
      select ${constantText(pending.join(' or '))}
        or exists (select 1 from webhooks.deliveries where status = 'pending')
        or exists (select 1 from payments.claims_notifications where recorded_at is null)
        or exists (select 1 from claims.claims where status = 'reversed' and released_at is null) as "isPending"`;
    const rows = state?.isPending === false ? await readRows(sql, tables) : [];
    const text = JSON.stringify(rows.map(({ cells }) => cells));
    const isSettled = rows.length > 0 && text === last;
    last = text;
    return isSettled ? rows : undefined;
  });
}

/** Makes the templates in the stack's project, which has one webhook endpoint for all event types. */
export async function makeTemplates(
  stack: Pick<BenchStack, 'world' | 'client' | 'projectId' | 'databaseUrl'>,
): Promise<Templates> {
  const { world, client, projectId } = stack;
  const sql = connectPostgres(stack.databaseUrl(), 1, 'bench-dataset');
  try {
    await client.webhookEndpoints.create({ url: world.receivers.accepting, events: [...eventTypes] });
    // The first claim is not used as a template: the first command of a project inserts rows in each service that later commands do not
    // insert.
    await makeClaim(world, 'settled');
    const isQueue = ({ name }: Table) => QUEUES.some((queue) => name.endsWith(`.${queue}`));
    const tables = (await readTables(sql)).filter((table) => !isQueue(table));
    const before = await readSettledRows(sql, tables);
    const known = new Set(before.map(keyOf));
    const shared = new Set(before.flatMap(({ table, cells }) => idsIn(cells, table.columns)));
    const made = await createInParallel(kindNames.length, async (number) => {
      const kind = kindNames[number] as ClaimKind;
      return { kind, ...(await makeClaim(world, kind)) };
    });
    const after = await readSettledRows(sql, tables);
    const rowsOf = groupById(
      after.filter((row) => !known.has(keyOf(row))),
      shared,
    );
    const claims = made.map(({ kind, id, startsAtMs }): Template => {
      const rows = rowsOf(idOf(id));
      const others = made.filter((other) => other.id !== id && rowsOf(idOf(other.id)) === rows);
      if (others.length > 0) throw new Error(`The rows of ${id} and ${others[0]?.id} share an identifier.`);
      const ids = [...new Set(rows.flatMap(({ table, cells }) => idsIn(cells, table.columns)))];
      return { kind, rows, ids: ids.filter((each) => !shared.has(each)), startsAtMs };
    });
    return { projectId, tables, claims, shared };
  } finally {
    await sql.end();
  }
}
