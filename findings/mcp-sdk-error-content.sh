#!/usr/bin/env bash
# The client of @modelcontextprotocol/sdk 1.32.2 validates the structured content of an error result against the schema of the tool's success, and
# throws. The caller gets neither the error's text nor its content. A result without structured content reaches the caller, as does
# one from a tool whose schema the client has not listed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

npm install --silent --no-save --ignore-scripts --prefix "$folder" @modelcontextprotocol/sdk@1.32.2
cat > error-result.mjs <<'JAVASCRIPT'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const tool = (name) => ({
  name,
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
});
const server = new Server({ name: 'server', version: '1' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [tool('with'), tool('without')] }));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
  isError: true,
  content: [{ type: 'text', text: 'not_found: no such order' }],
  ...(params.name === 'with' ? { structuredContent: { code: 'not_found' } } : {}),
}));
const client = new Client({ name: 'client', version: '1' });
const [here, there] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(there), client.connect(here)]);

const call = (name) =>
  client.callTool({ name, arguments: {} }).then(
    ({ isError, content }) => `isError ${isError}, "${content[0].text}"`,
    (error) => `throws ${error.code}: ${error.message.slice(0, 96)}`,
  );
console.log(`before tools/list, structured content: ${await call('with')}`);
await client.listTools();
console.log(`after tools/list, structured content:  ${await call('with')}`);
console.log(`after tools/list, text alone:          ${await call('without')}`);
await client.close();
JAVASCRIPT
node error-result.mjs | tee output.txt

grep -q '^before tools/list, structured content: isError true, "not_found: no such order"$' output.txt
grep -q '^after tools/list, structured content:  throws -32602: .*does not match' output.txt
grep -q '^after tools/list, text alone:          isError true, "not_found: no such order"$' output.txt
echo 'as described'
