/**
 * The rows of a CSV file as lines of a bulk job. A column names a field by its path: `session.starts_at`, or `lines.1.amount` for the first
 * item of a list. An empty cell is an absent field.
 */
import { type BulkJobKind, bulkLineSchemas } from '@carecover/contract';

/** The part of JSON Schema that lines use. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxItems?: number;
}

type LeafType = 'text' | 'texts' | 'number' | 'boolean';

/** The columns that every file of a kind has. They also determine the separator of the file. */
export const REQUIRED_COLUMNS: Readonly<Record<BulkJobKind, readonly string[]>> = {
  claims: [
    'provider_claim_reference',
    'lines.1.code_system',
    'lines.1.service_code',
    'lines.1.units',
    'lines.1.amount',
  ],
  adjudications: ['policy_reference', 'policy_version', 'reason_codes', 'lines.1.line_number'],
  remittances: [
    'payer_reference',
    'currency',
    'received_at',
    'allocations.1.claim_id',
    'allocations.1.paid_amount',
  ],
  settlements: ['source_reference', 'currency', 'amount', 'observed_at'],
  sessions: ['practitioner_id', 'starts_at', 'ends_at', 'format', 'payment_source'],
  eligibility_checks: ['member_reference', 'service_code', 'scheduled_at', 'amount', 'currency'],
};

const typesOfKinds = new Map<BulkJobKind, ReadonlyMap<string, LeafType>>();

/** Returns the columns that a file of a kind can have, with the types of their cells. */
export function columnsOf(kind: BulkJobKind): ReadonlyMap<string, LeafType> {
  const known = typesOfKinds.get(kind);
  if (known !== undefined) return known;
  const types = new Map(bulkLineSchemas(kind).flatMap((schema) => [...leavesOf(schema as Schema, '')]));
  typesOfKinds.set(kind, types);
  return types;
}

function* leavesOf(schema: Schema, path: string): Generator<[string, LeafType]> {
  const below = path === '' ? '' : `${path}.`;
  if (schema.properties !== undefined) {
    for (const [name, member] of Object.entries(schema.properties)) yield* leavesOf(member, below + name);
  } else if (schema.items?.properties !== undefined) {
    for (let item = 1; item <= (schema.maxItems ?? 0); item++)
      yield* leavesOf(schema.items, `${below}${item}`);
  } else yield [path, schema.items === undefined ? typeOf(schema) : 'texts'];
}

function typeOf({ type }: Schema): LeafType {
  const types = [type ?? 'string'].flat();
  if (types.includes('integer') || types.includes('number')) return 'number';
  return types.includes('boolean') ? 'boolean' : 'text';
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Returns the JSON of a cell. A cell that is not of the type of its column is a text, which the schema rejects. */
function cellJson(cell: string, type: LeafType): string {
  if (type === 'number' && NUMBER.test(cell)) return cell;
  if (type === 'boolean' && /^(true|false)$/i.test(cell)) return cell.toLowerCase();
  return JSON.stringify(type === 'texts' ? cell.split(/\s+/) : cell);
}

/** A node of the object that a row describes: the JSON of a cell, or the members by name. */
type Node = string | Map<string, Node>;

/**
 * Returns the JSON of the line that a row of a CSV file describes. Digits of numbers stay as they are in the file.
 *
 * @param cells the texts of the cells by column; all columns must be those of {@link columnsOf}
 * @example lineOfRow('adjudications', { claim_id: 'clm_1', 'lines.1.line_number': '1' })
 */
export function lineOfRow(kind: BulkJobKind, cells: Readonly<Record<string, string | undefined>>): string {
  const types = columnsOf(kind);
  const root = new Map<string, Node>();
  for (const [path, cell] of Object.entries(cells)) {
    const type = types.get(path);
    if (cell === undefined || cell === '' || type === undefined) continue;
    const steps = path.split('.');
    const name = steps.pop() ?? '';
    let node = root;
    for (const step of steps) {
      const next = node.get(step);
      const inner = next instanceof Map ? next : new Map<string, Node>();
      node.set(step, inner);
      node = inner;
    }
    node.set(name, cellJson(cell, type));
  }
  return nodeJson(root);
}

function nodeJson(node: Node): string {
  if (typeof node === 'string') return node;
  const isList = node.size > 0 && [...node.keys()].every((key) => /^\d+$/.test(key));
  if (!isList)
    return `{${[...node].map(([name, member]) => `${JSON.stringify(name)}:${nodeJson(member)}`).join(',')}}`;
  const items = [...node].sort(([one], [other]) => Number(one) - Number(other));
  return `[${items.map(([, item]) => nodeJson(item)).join(',')}]`;
}
