/** Checks that generated rows equal the rows that the API made, except for identifiers and times. The check is only for small data sets. */
import { connectPostgres, constantText, identifier, type Sql } from '@carecover/postgres';
import { readRows, type StoredRow, writtenColumns } from './catalogue';
import type { ClaimKind } from './kinds';
import { groupById, type Templates } from './templates';
import { idsIn, isOpaque, tokensOf } from './tokens';

/** The largest number of claims that {@link checkShapes} accepts. */
export const MOST_CHECKED = 2_000;

/** Tables whose rows belong to several claims. */
const SHARED_TABLES = ['care.practitioners', 'benefits.payer_contracts'];

/** Returns the shape of a row: its values except those that differ between two claims of the same kind, such as identifiers and instants. */
function shapeOf({ table, cells }: StoredRow): string {
  const written = writtenColumns(table);
  const values = table.columns.map(({ name, type }, index) => {
    const cell = cells[index];
    if (cell == null || !written.some((column) => column.name === name)) return null;
    if (type.startsWith('timestamp')) return 'instant';
    if (isOpaque(type)) return cell.length;
    return tokensOf(cell).map(({ kind, text }) => (kind === 'constant' ? text : kind));
  });
  return JSON.stringify([table.name, values]);
}

const shapesOf = (rows: readonly StoredRow[]) => rows.map(shapeOf).sort();

/** Describes the first difference between the sorted shapes of the rows of two claims. */
function firstDifference(found: readonly string[], expected: readonly string[]): string {
  const missing = expected.find((shape) => !found.includes(shape));
  const added = found.find((shape) => !expected.includes(shape));
  return `expected ${missing ?? 'fewer rows'}, found ${added ?? 'none'}`;
}

/** Checks all foreign keys, because the generator disables them. @throws Error if a row references a row that does not exist */
async function checkReferences(sql: Sql): Promise<void> {
  const keys = await sql<{ name: string; child: string; parent: string; pairs: [string, string][] }[]>`
    select k.conname as name, child.relnamespace::regnamespace || '.' || child.relname as child,
      parent.relnamespace::regnamespace || '.' || parent.relname as parent,
      (select jsonb_agg(jsonb_build_array(own.attname, other.attname))
         from unnest(k.conkey, k.confkey) as pair (own, other)
         join pg_attribute own on own.attrelid = k.conrelid and own.attnum = pair.own
         join pg_attribute other on other.attrelid = k.confrelid and other.attnum = pair.other) as pairs
    from pg_constraint k join pg_class child on child.oid = k.conrelid join pg_class parent on parent.oid = k.confrelid
    where k.contype = 'f' and k.conparentid = 0`;
  for (const { name, child, parent, pairs } of keys) {
    const join = pairs
      .map(([own, other]) => `p.${identifier(other).text} = c.${identifier(own).text}`)
      .join(' and ');
    const isSet = pairs.map(([own]) => `c.${identifier(own).text} is not null`).join(' and ');
    const dangling = await sql`
      select 1 from ${constantText(child)} c
      where ${constantText(isSet)} and not exists (select 1 from ${constantText(parent)} p where ${constantText(join)}) limit 1`;
    if (dangling.length > 0) throw new Error(`A generated row of ${child} violates ${name}.`);
  }
}

/**
 * Checks that the rows of every claim in the project of the templates have the same shapes as the rows of one of the templates, and that
 * all foreign keys are valid.
 *
 * @param others IDs of claims of the project that are not checked
 * @returns the number of claims of each kind, including those that the API made
 * @throws Error that names the first difference
 */
export async function checkShapes(
  databaseUrl: string,
  templates: Templates,
  others: ReadonlySet<string>,
): Promise<Map<ClaimKind, number>> {
  const sql = connectPostgres(databaseUrl, 1, 'bench-dataset');
  try {
    const rows = await readRows(sql, templates.tables);
    const ofSeveral = rows.filter(({ table }) => SHARED_TABLES.includes(table.name));
    const generated = ofSeveral.flatMap(({ table, cells }) => idsIn(cells, table.columns));
    const rowsOf = groupById(rows, new Set([...templates.shared, ...generated]));
    const expected = templates.claims.map((each) => ({ kind: each.kind, shapes: shapesOf(each.rows) }));
    const byShapes = new Map(expected.map(({ kind, shapes }) => [shapes.join('\n'), kind]));
    const counts = new Map<ClaimKind, number>();
    const claims = await sql<{ id: string; status: string }[]>`
      select id, status from claims.claims where project_id = ${templates.projectId}`;
    for (const { id, status } of claims) {
      const core = id.slice('clm_'.length);
      if (templates.shared.has(core) || others.has(id)) continue;
      const shapes = shapesOf(rowsOf(core));
      const kind = byShapes.get(shapes.join('\n'));
      if (kind === undefined) {
        const [nearest] = [...expected].sort(
          (a, b) => differences(shapes, a.shapes) - differences(shapes, b.shapes),
        );
        throw new Error(
          `${id} (${status}) differs from ${nearest?.kind}: ${firstDifference(shapes, nearest?.shapes ?? [])}`,
        );
      }
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    await checkReferences(sql);
    return counts;
  } finally {
    await sql.end();
  }
}

function differences(found: readonly string[], expected: readonly string[]): number {
  return [
    ...found.filter((shape) => !expected.includes(shape)),
    ...expected.filter((shape) => !found.includes(shape)),
  ].length;
}
