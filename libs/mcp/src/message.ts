/** The JSON-RPC message of a request: what a door reads of it before the package checks the rest. */
import type { IncomingHttpHeaders } from 'node:http';
import { parseStrictJson } from '@carecover/http';

/** A message is short: the longest is an adjudication of a hundred lines. */
export const MESSAGE_BYTES = 64 * 1024;
const BOUNDS = { depth: 16, fields: 200, items: 1_000, values: 10_000, characters: MESSAGE_BYTES };

/** The method that a client without a credential can call. */
export const DISCOVER = 'server/discover';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const HEADER_MISMATCH = -32_020;

export interface Message {
  readonly id: string | number | null;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Why a body is no request. */
export interface MessageProblem {
  readonly id: Message['id'];
  /** The code of the protocol's error. */
  readonly code: number;
  readonly problem: string;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the ID of a message, also of one that has errors; null if it has none. */
export function idOf(body: unknown): Message['id'] {
  const id = isFields(body) ? body.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Returns the body of an error of the protocol. */
export function errorMessage(id: Message['id'], code: number, message: string, data?: unknown) {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

/** Reads the request in a body. @param bytes null: the HTTP request has none */
export async function readRequest(bytes: Buffer | null): Promise<Message | MessageProblem> {
  const parsed = bytes === null ? null : await parseStrictJson(bytes, BOUNDS);
  if (parsed === null || !parsed.isRead || parsed.problems.length > 0) {
    const [first] = parsed?.problems ?? [];
    const reason = first === undefined ? 'there is none' : `${first.pointer} ${first.message}`.trim();
    const problem = `The body must be one JSON-RPC message: ${reason}.`;
    return { id: null, code: PARSE_ERROR, problem };
  }
  const body = parsed.value;
  const id = idOf(body);
  if (!isFields(body) || typeof body.method !== 'string') {
    const problem = 'The body must be one JSON-RPC request, not a batch or a response.';
    return { id, code: INVALID_REQUEST, problem };
  }
  return { id, method: body.method, params: isFields(body.params) ? body.params : {}, body };
}

/** Returns the headers of a request that the protocol reads. */
export function protocolHeaders(received: IncomingHttpHeaders): Headers {
  const passed = new Headers();
  for (const [name, value] of Object.entries(received)) {
    const isOfProtocol = name === 'accept' || name === 'content-type' || name.startsWith('mcp-');
    if (isOfProtocol && typeof value === 'string') passed.set(name, value);
  }
  return passed;
}

/** Whether the model that called a tool can correct an error with this HTTP status. With any other one the whole request fails. */
export function isOfTool(status: number): boolean {
  return status === 400 || status === 404 || status === 409 || status === 422;
}
