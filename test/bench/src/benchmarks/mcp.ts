/**
 * Measures what a tool of the MCP endpoint costs beside the same operation over HTTP, both through the gateway, and the gateway's memory over
 * many calls and clients that leave before the response.
 */
import { Agent, request } from 'undici';
import type { Shot } from '../drivers/http';
import { open } from '../drivers/http';
import type { BenchStack } from '../harness/bench-stack';
import { compareContestants } from '../harness/contest';
import { residentBytes } from '../harness/memory';
import { printJson, printReport } from '../harness/report';
import type { Benchmark } from './benchmark';

const VERSION = '2026-07-28';
const MEBIBYTE = 1024 * 1024;

/** Returns the request that calls a tool, as clients of the current revision send it. */
function toolCall(name: string, given: Readonly<Record<string, unknown>>): Shot {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    method: 'POST',
    path: '/v1/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given, _meta: meta } },
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
  };
}

/** Sends a tool call once. @throws Error if its result is an error: its HTTP status is 200, so that a measurement does not see it */
async function checkCall({ https: { origin, ca, key } }: BenchStack, shot: Shot): Promise<void> {
  const dispatcher = new Agent({ connect: { ca } });
  const headers = { ...shot.headers, 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const { body } = await request(origin + shot.path, {
    ...{ method: 'POST', headers, dispatcher },
    body: JSON.stringify(shot.body),
  });
  const text = await body.text();
  await dispatcher.close();
  if (!text.includes('"result"') || text.includes('"isError":true')) throw new Error(text);
}

/** How many parts the calls of the memory's measurement have, and how many are sent at the same time. */
const PARTS = 10;
const CONNECTIONS = 8;
/** Per prepared resource: the calls, and the clients that leave. */
const CALLS = 1_000;
const LEAVING = 10;
const LEAVES_AFTER_MS = 3;

/** Sends calls whose client leaves before the response. */
async function sendAndLeave({ https }: BenchStack, shot: Shot, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += CONNECTIONS) {
    const load = await open({ ...https, shots: [shot], again: true }, CONNECTIONS);
    const answers = Array.from({ length: CONNECTIONS }, (_, number) => load.shoot(number));
    await new Promise((resolve) => setTimeout(resolve, LEAVES_AFTER_MS));
    await Promise.all([load.close(), Promise.allSettled(answers)]);
  }
}

/** Returns the gateway's resident memory in MiB after each part of the calls; null if it cannot be read. */
async function memoryOver(stack: BenchStack, shot: Shot, prepared: number): Promise<number[] | null> {
  const { pid } = stack.parts.process('gateway');
  const load = await open({ ...stack.https, shots: [shot], again: true }, CONNECTIONS);
  const figures: (number | null)[] = [];
  for (let part = 0; part < PARTS; part++) {
    let left = (prepared * CALLS) / PARTS;
    const send = async () => {
      while (left-- > 0) await load.shoot(0);
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, send));
    await sendAndLeave(stack, shot, (prepared * LEAVING) / PARTS);
    figures.push(pid === undefined ? null : residentBytes(pid));
  }
  await load.close();
  const known = figures.filter((bytes) => bytes !== null);
  return known.length < PARTS ? null : known.map((bytes) => Math.round(bytes / MEBIBYTE));
}

export const mcp: Benchmark = async (stack, size) => {
  const { id } = await stack.world.createAdjudicatedClaim();
  const at = new Date().toISOString();
  const claimCall = toolCall('get_claim', { claim_id: id });
  await checkCall(stack, claimCall);
  // These calls come first, so that no comparison is of code that JavaScript has not compiled yet.
  const memory_mib = await memoryOver(stack, claimCall, size.prepared);
  const [calls, left] = [size.prepared * CALLS, size.prepared * LEAVING];
  process.stdout.write(
    `memory of the gateway over ${calls} calls and ${left} clients that left: ${memory_mib?.join(', ') ?? 'unknown'} MiB\n`,
  );
  printJson({ benchmark: 'mcp: memory', calls, left, memory_mib });
  const cases = [
    ['get_claim', { claim_id: id }, `/v1/claims/${id}`],
    ['value_claim', { claim_id: id, valuation_at: at }, `/v1/claims/${id}/valuation?valuation_at=${at}`],
    ['list_claims', {}, '/v1/claims?limit=5'],
  ] as const;
  for (const [name, given, path] of cases) {
    const shot = toolCall(name, given);
    await checkCall(stack, shot);
    const contestants = [
      { name: 'tool', driver: 'http', options: () => ({ ...stack.https, shots: [shot], again: true }) },
      {
        name: 'operation',
        driver: 'http',
        options: () => ({ ...stack.https, shots: [{ method: 'GET', path }], again: true }),
      },
    ];
    const cells = await compareContestants(contestants, size);
    for (const { connections, processorMs } of cells.filter((cell) => cell.name === 'tool')) {
      const other = cells.find((cell) => cell.connections === connections && cell.name === 'operation');
      if (processorMs === null || other?.processorMs == null) continue;
      const times = (processorMs / other.processorMs).toFixed(2);
      process.stdout.write(
        `${name} at ${connections}: ${processorMs.toFixed(2)} ms of processor time, ${times} times its operation\n`,
      );
    }
    printReport({ benchmark: `mcp: ${name}`, title: `${name} and GET ${path.split('?')[0]}`, cells });
  }
};
