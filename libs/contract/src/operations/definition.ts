// The type of a row in the table of operations, and the functions that define rows.

import { type TProperties, type TSchema, Type } from 'typebox';
import type { ErrorCode } from '../errors';
import { type IdentifierKind, identifier, identifierNouns } from '../identifiers';
import type { RequiredScope } from '../scopes';

/** The services that execute operations. The gateway executes some itself. */
export const serviceNames = ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The groups of operations in the API reference. */
export const operationTags = [
  'API',
  'Practitioners',
  'Bookings and sessions',
  'Coverage',
  'Benefits',
  'Claims',
  'Bulk jobs',
  'Remittances and settlements',
  'Webhooks and events',
  'Consents',
  'Tokens',
  'Test helpers',
  'Test clocks',
] as const;
export type OperationTag = (typeof operationTags)[number];

/** A documented response that is not an API error. */
export interface Success {
  readonly status: number;
  readonly schema: TSchema;
  /** Whether this response is sent to a repeated request under the same Idempotency-Key. */
  readonly replay?: true;
  /** An example of this response; needed only if the schema's own example belongs to another response. */
  readonly example?: object;
}

/** What is invalid in a request, with the JSON pointer of the field. Outside the body the pointer starts with /query, /path or /headers. */
export interface Problem {
  readonly pointer: string;
  readonly message: string;
}

/** All problems of a part of a request, at least one. */
export type Problems = readonly [Problem, ...Problem[]];

/** A file format in which an operation returns its whole result instead of JSON, if the Accept header of the request names the format. */
export interface FileFormat {
  readonly mediaType: string;
  readonly description: string;
}

/** The file that an operation receives as its body, instead of JSON. It can be compressed with gzip. */
export interface FileUpload {
  /** The accepted formats. */
  readonly formats: readonly [FileFormat, ...FileFormat[]];
  /** The largest file, in bytes, unpacked. */
  readonly limitBytes: number;
}

/** A row of the table of operations. */
export interface OperationDefinition {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below `/v1`, with parameters in braces: `/claims/{claim_id}`. */
  readonly path: string;
  readonly tag: OperationTag;
  readonly summary: string;
  readonly description?: string;
  readonly service: ServiceName;
  readonly scope: RequiredScope;
  /** Schema of the path parameters as one object. */
  readonly params: TSchema;
  /** Schema of the query parameters as one object, after the parameters that are numbers were converted from text. */
  readonly query: TSchema;
  /** Schema of the request's body; absent if the operation has none. */
  readonly body?: TSchema;
  /** The file that the operation receives as its body; absent if it receives none. Such an operation has no `body`. */
  readonly upload?: FileUpload;
  /** Schemas of further required headers, by their documented names. */
  readonly headers?: Readonly<Record<string, TSchema>>;
  readonly success: readonly [Success, ...Success[]];
  /**
   * The formats of files in addition to JSON. A request whose Accept header names neither JSON nor one of these formats is rejected with
   * 406.
   */
  readonly files?: readonly FileFormat[];
  /** Error codes that a client with a correct request can receive, in addition to those of every operation (`commonErrors`). */
  readonly codes: readonly ErrorCode[];
  /** Responses with an error status whose body is no API error, such as the 502 of a failed test delivery. */
  readonly failures?: readonly Success[];
  readonly idempotencyKey: 'required' | 'optional' | 'none' | 'ignored';
  /** The limit of the body in bytes, if it differs from BODY_LIMIT_BYTES. */
  readonly bodyLimitBytes?: number;
  /** Whether the operation exists only in the sandbox. In production it responds 404. */
  readonly sandboxOnly?: true;
  /**
   * Whether the answer takes long to compute, or waits for a receiver of webhooks. The gateway limits the number of such answers in progress
   * separately.
   */
  readonly isLong?: true;
  /** Whether the operation creates a resource. A token restricted to resources can't use it. */
  readonly creates?: true;
}

/** Returns whether the key of a request to the operation is stored, so that a repetition under the key has no second effect. */
export function storesKey({ idempotencyKey }: Pick<OperationDefinition, 'idempotencyKey'>): boolean {
  return idempotencyKey === 'required' || idempotencyKey === 'optional';
}

/** The schema of the path parameters for an operation whose path has none. */
export const NoParams = Type.Object({}, { additionalProperties: false });

const PARAMETER = /\{(\w+)\}/g;

/** Returns the names of the parameters of an operation's path, in their order. */
export function pathParameterNames(path: string): string[] {
  return [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
}

/**
 * Replaces each parameter of an operation's path.
 *
 * @example expandPath('/claims/{claim_id}', (name) => `:${name}`) // '/claims/:claim_id'
 */
export function expandPath(path: string, replace: (name: string) => string): string {
  return path.replaceAll(PARAMETER, (_, name: string) => replace(name));
}

/** Creates the schema of the path parameter that identifies a resource of a kind. */
export function pathIdentifier(kind: IdentifierKind) {
  return identifier(kind, `The ${identifierNouns[kind]}'s identifier.`);
}

/** Creates the schema of an operation's path parameters. */
export function pathParameters<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Defines a row of the table of operations. The compiler checks the row's fields and infers its exact type. */
export function defineOperation<const O extends OperationDefinition>(definition: O): O {
  return definition;
}
