/** Tests of the list of tools: its size, its names, and that it is derived from the table of operations. */
import { operations } from '@carecover/contract';
import type { JsonSchema } from './schema';
import { listedTools } from './tool-list';
import { tools } from './tools';

const MAX_TOOLS = 24;
const MAX_LIST_BYTES = 60_000;

test('the list of tools fits into what models and clients can hold', () => {
  expect(tools.length).toBeLessThanOrEqual(MAX_TOOLS);
  expect(Buffer.byteLength(JSON.stringify({ tools: listedTools(['*']) }))).toBeLessThanOrEqual(
    MAX_LIST_BYTES,
  );
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
  for (const entry of listedTools(['*'])) {
    const tool = tools.find(({ name }) => name === entry.name);
    const isRead = tool?.operations.every((id) => operations[id].method === 'GET');
    expect(entry.annotations).toMatchObject({ readOnlyHint: isRead, openWorldHint: false });
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
