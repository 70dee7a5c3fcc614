// Scopes: the permissions that a key has and an operation requires.
import type { BulkJobKind } from './resources/bulk-job';

/** Every scope with the description of what it permits. */
export const scopeDescriptions = {
  'practitioners:read': 'List and read practitioners.',
  'availability:read': "Read practitioners' weekly hours and free slots.",
  'bookings:read': 'List and read bookings.',
  'bookings:write': 'Create and cancel bookings.',
  'sessions:read': 'List and read sessions.',
  'sessions:write': 'Deliver a session early with the sandbox test helper.',
  'coverages:read': 'Read the latest observation of a coverage.',
  'coverages:write': 'Record coverage observations, single or in batches.',
  'benefits:read': 'Read eligibility checks and pre-authorizations.',
  'benefits:write': 'Check eligibility; open and cancel pre-authorizations.',
  'benefits:decide': 'Decide pre-authorizations on behalf of the payer.',
  'claims:read': 'List, read and value claims.',
  'claims:write': 'Submit and cancel claims and add evidence.',
  'claims:adjudicate': 'Request information, adjudicate and reverse claims on behalf of the payer.',
  'remittances:read': 'Read remittances and settlements.',
  'remittances:write': 'Record remittances.',
  'settlements:write': 'Record and reverse settlements.',
  'webhooks:read': 'Read webhook endpoints, deliveries and events.',
  'webhooks:write': 'Manage webhook endpoints, test them and send deliveries again.',
  'consents:read': 'Read consents.',
  'consents:write': 'Record consents.',
  'clock:read': 'Read the clock of a project whose time is simulated.',
  'clock:write': 'Create projects whose time is simulated, and move their clocks.',
} as const;

export type Scope = keyof typeof scopeDescriptions;

/** Every scope, in the order of the documentation. */
export const scopes = Object.keys(scopeDescriptions) as Scope[];

/** The scope that grants every scope. */
export const WILDCARD_SCOPE = '*';

/** A scope that a key can have, or the wildcard. */
export type GrantedScope = Scope | typeof WILDCARD_SCOPE;

/** The scope of a bulk job of each kind: that of the operation which its lines execute. */
export const scopesOfBulkJobKinds = {
  claims: 'claims:write',
  adjudications: 'claims:adjudicate',
  remittances: 'remittances:write',
  settlements: 'settlements:write',
  sessions: 'sessions:write',
  eligibility_checks: 'benefits:write',
} as const satisfies Readonly<Record<BulkJobKind, Scope>>;

/**
 * What an operation requires: a scope, any valid credential, a secret key (not a token) with any scopes, or the scope of a bulk job's kind
 * ({@link scopesOfBulkJobKinds}).
 */
export type RequiredScope = Scope | 'any key' | 'secret key' | 'scope of the kind';

/** Returns the scopes of which a credential needs one; none if it needs no scope. */
export function alternativesOf(required: RequiredScope): readonly Scope[] {
  if (required === 'any key' || required === 'secret key') return [];
  return required === 'scope of the kind' ? Object.values(scopesOfBulkJobKinds) : [required];
}

/** Returns whether the text is a scope or the wildcard. */
export function isGrantedScope(text: string): text is GrantedScope {
  return text === WILDCARD_SCOPE || Object.hasOwn(scopeDescriptions, text);
}

/**
 * Returns whether scopes include the scope that an operation requires. Returns true for `secret key`; the calling code must also check
 * that the credential is not a token. Returns true for `scope of the kind` if the scopes include that of one kind; the claims service knows
 * the kind of a job and checks its scope.
 *
 * @example grants(['claims:read'], 'claims:read') // true
 */
export function grants(granted: readonly string[], required: RequiredScope): boolean {
  const alternatives = alternativesOf(required);
  if (alternatives.length === 0 || granted.includes(WILDCARD_SCOPE)) return true;
  return alternatives.some((scope) => granted.includes(scope));
}

/** Returns whether a key with the granted scopes can create a token with the requested scopes. */
export function isSubset(requested: readonly GrantedScope[], granted: readonly string[]): boolean {
  return requested.every((scope) => granted.includes(scope) || granted.includes(WILDCARD_SCOPE));
}
