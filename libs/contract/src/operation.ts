// What the table of operations says of each operation, and the helpers with which its rows are written.
import Type, { type TProperties, type TSchema } from 'typebox';
import type { ErrorCode } from './errors';
import { type IdentifierKind, identifier } from './identifiers';
import type { RequiredScope } from './scopes';

/** The services behind the gateway, and the gateway for what it answers itself. */
export const serviceNames = ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The areas by which the reference groups operations. */
export const operationTags = [
  'API',
  'Practitioners',
  'Bookings and sessions',
  'Coverage',
  'Benefits',
  'Claims',
  'Remittances and settlements',
  'Webhooks and events',
  'Consents',
  'Tokens',
  'Test helpers',
] as const;
export type OperationTag = (typeof operationTags)[number];

export interface Success {
  readonly status: number;
  readonly schema: TSchema;
  /** This is what a repetition under the same Idempotency-Key gets, with `Idempotent-Replayed: true`. */
  readonly replay?: true;
  /** An example of this answer, where the schema's own is one of another. */
  readonly example?: object;
}

/** What is wrong with a request, and where: a JSON pointer, under /query, /path or /headers outside the body. */
export interface Problem {
  readonly pointer: string;
  readonly message: string;
}

/** Everything that is wrong with a part of a request. */
export type Problems = readonly [Problem, ...Problem[]];

export interface OperationDefinition {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path below the base path, with parameters in braces: `/claims/{claim_id}`. */
  readonly path: string;
  readonly tag: OperationTag;
  readonly summary: string;
  readonly description?: string;
  readonly service: ServiceName;
  readonly scope: RequiredScope;
  /** Object schema of the path parameters. */
  readonly params: TSchema;
  /** Object schema of the query parameters, coerced. */
  readonly query: TSchema;
  /** Schema of the body; absent where there is none. */
  readonly body?: TSchema;
  /** Further required headers, by name as documented. */
  readonly headers?: Readonly<Record<string, TSchema>>;
  readonly success: readonly [Success, ...Success[]];
  /** Error codes that a valid client can meet here, besides those that every operation has (`commonErrors`). */
  readonly codes: readonly ErrorCode[];
  /** Statuses other than errors' and successes' whose body isn't an error: the failed test delivery's 502. */
  readonly failures?: readonly Success[];
  readonly idempotencyKey: 'required' | 'optional' | 'none' | 'ignored';
  /** Larger than the usual limit, in bytes. */
  readonly bodyLimitBytes?: number;
  /** In production it answers as an unknown path. */
  readonly sandboxOnly?: true;
  /** It makes a new resource, so a token that is narrowed to resources may not use it. */
  readonly creates?: true;
}

/** No path parameter. */
export const NoParams = Type.Object({}, { additionalProperties: false });

const nouns: Record<IdentifierKind, string> = {
  practitioner: 'practitioner',
  booking: 'booking',
  session: 'session',
  coverage: 'coverage',
  coverageObservation: 'coverage observation',
  eligibilityCheck: 'eligibility check',
  preauthorization: 'pre-authorization',
  preauthorizationDecision: 'decision',
  claim: 'claim',
  claimInformationRequest: 'information request',
  adjudication: 'adjudication',
  remittance: 'remittance',
  settlement: 'settlement',
  consent: 'consent',
  webhookEndpoint: 'webhook endpoint',
  event: 'event',
};

/** The path parameter that names a resource of a kind. */
export function pathIdentifier(kind: IdentifierKind) {
  return identifier(kind, `The ${nouns[kind]}'s identifier.`);
}

/** Path parameters. */
export function path<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Checks a row's form while keeping its exact types. */
export function operation<const O extends OperationDefinition>(definition: O): O {
  return definition;
}
