import { bulkJobKinds, bulkLineSchemas, validateBulkLine } from '@carecover/contract';
import { columnsOf, lineOfRow, REQUIRED_COLUMNS } from './bulk-csv';

/** Returns a value as the cells of a row, by the paths of its fields. */
function cellsOf(value: unknown, path = ''): [string, string][] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return [[path, value.join(' ')]];
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  const step = (name: string) => (Array.isArray(value) ? String(Number(name) + 1) : name);
  return Object.entries(value).flatMap(([name, member]) =>
    cellsOf(member, path === '' ? step(name) : `${path}.${step(name)}`),
  );
}

test.each(
  bulkJobKinds.flatMap((kind) =>
    bulkLineSchemas(kind).map((schema) => [kind, Reflect.get(schema, 'title') as string, schema] as const),
  ),
)('%s: the row of an example of %s describes the example, which is valid', (kind, _title, schema) => {
  const [example] = Reflect.get(schema, 'examples') as [object];
  const line: unknown = JSON.parse(lineOfRow(kind, Object.fromEntries(cellsOf(example))));
  expect(line).toEqual(example);
  expect(validateBulkLine(kind, line)).toEqual({ ok: true, value: example });
});

test.each(bulkJobKinds)('%s: the required columns are columns of the kind', (kind) => {
  expect([...columnsOf(kind).keys()]).toEqual(expect.arrayContaining([...REQUIRED_COLUMNS[kind]]));
});

test('empty cells are absent fields, and the items of a list are in the order of their numbers', () => {
  const row = {
    provider_claim_reference: 'INV-1',
    preauthorization_id: '',
    'lines.10.amount': '3',
    'lines.2.amount': '2',
    'lines.1.amount': '1',
    'lines.3.amount': '',
  };
  expect(JSON.parse(lineOfRow('claims', row))).toEqual({
    provider_claim_reference: 'INV-1',
    lines: [{ amount: 1 }, { amount: 2 }, { amount: 3 }],
  });
});

test('a cell that is no number stays a text, which the validation names', () => {
  const line: unknown = JSON.parse(lineOfRow('claims', { 'lines.1.units': '1,5', 'lines.1.amount': '007' }));
  expect(line).toEqual({ lines: [{ units: '1,5', amount: '007' }] });
  const checked = validateBulkLine('claims', line);
  expect(checked.ok ? [] : checked.problems.map(({ pointer }) => pointer)).toEqual(
    expect.arrayContaining(['/lines/0/units', '/lines/0/amount']),
  );
});
