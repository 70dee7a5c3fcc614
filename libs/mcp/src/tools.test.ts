/** Tests of the list of tools: its size, its names, and that it is derived from the table of operations. */
import { operations } from '@carecover/contract';
import type { JsonSchema } from './schema';
import { listedTools, MAX_LISTED } from './tool-list';
import { tools } from './tools';
import { isConfirmed } from './tools/definition';

const MAX_LIST_BYTES = 60_000;

test.each([false, true])(
  'the list of tools fits into what models and clients can hold (writes: %s)',
  (hasWrites) => {
    const listed = listedTools(['*'], hasWrites);
    expect(listed.length).toBeLessThanOrEqual(MAX_LISTED);
    expect(Buffer.byteLength(JSON.stringify({ tools: listed }))).toBeLessThanOrEqual(MAX_LIST_BYTES);
  },
);

test('writes are listed only where the project permits them, and a key with fewer scopes loses no read to them', () => {
  const names = (granted: readonly string[], hasWrites: boolean) =>
    listedTools(granted, hasWrites).map(({ name }) => name);
  const written = tools.filter(isConfirmed).map(({ name }) => name);
  expect(names(['*'], false)).toEqual(
    tools.map(({ name }) => name).filter((name) => !written.includes(name)),
  );
  expect(names(['*'], true)).toEqual(expect.arrayContaining(written));
  expect(names(['*'], true)).not.toContain('find_slots');
  const payer = names(['claims:read', 'claims:adjudicate', 'availability:read'], true);
  expect(payer).toEqual(expect.arrayContaining(['approve_claim', 'deny_claim', 'find_slots']));
  expect(payer).not.toContain('match_bank_row');
});

test('names and descriptions have the length that clients show', () => {
  for (const { name, description } of tools) {
    expect(name).toMatch(/^[a-z_]{3,40}$/);
    expect(description.length).toBeLessThan(1_000);
  }
});

function partsOf(schema: JsonSchema): JsonSchema[] {
  const parts = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
  ];
  return [schema, ...parts.flatMap(partsOf)];
}

test.each(tools.map((tool) => [tool.name, tool] as const))(
  'the schemas of %s suit clients and models',
  (_name, tool) => {
    const { inputSchema, outputSchema, operations: ids } = tool;
    for (const part of [inputSchema, ...(outputSchema ? [outputSchema] : [])].flatMap(partsOf)) {
      expect(Array.isArray(part.type)).toBe(false);
      expect(part).not.toHaveProperty('title');
      expect(part).not.toHaveProperty('examples');
      if (part.type === 'integer') expect(part).toHaveProperty('maximum');
    }
    for (const part of outputSchema ? partsOf(outputSchema) : [])
      expect(part).not.toHaveProperty('additionalProperties');
    for (const name of inputSchema.required ?? [])
      expect(inputSchema.properties[name]).not.toHaveProperty('default');
    for (const [name, property] of Object.entries(inputSchema.properties)) {
      expect([name, property.description]).toEqual([name, expect.stringMatching(/\w/)]);
    }
    expect(ids.length).toBeGreaterThan(0);
  },
);

test('only a tool without effects is marked as a read, and no tool opens the world', () => {
  for (const entry of [...listedTools(['*'], false), ...listedTools(['*'], true)]) {
    const tool = tools.find(({ name }) => name === entry.name);
    const isRead = tool?.operations.every((id) => operations[id].method === 'GET');
    expect(entry.annotations).toMatchObject({ readOnlyHint: isRead, openWorldHint: false });
    // Only the start of a valuation run, which changes no claim, writes without a person's answer.
    if (isRead !== true && entry.name !== 'start_valuation_run') expect(tool && isConfirmed(tool)).toBe(true);
  }
});

test('no tool can create or reveal a credential, or reach what only operators or the sandbox may do', () => {
  const used = tools.flatMap(({ operations: ids }) => ids);
  for (const id of used) {
    expect(operations[id]).not.toHaveProperty('sandboxOnly');
    expect(operations[id].tag).not.toBe('Tokens');
  }
  expect(used).not.toContain('createWebhookEndpoint');
});
