// What a key may do. A key carries scopes; an operation asks for one.

/** Every scope with what it allows. */
export const scopeDescriptions = {
  'practitioners:read': 'List and read practitioners.',
  'availability:read': "Read practitioners' weekly hours.",
  'bookings:read': 'List and read bookings.',
  'bookings:write': 'Make and cancel bookings.',
  'sessions:read': 'List and read sessions.',
  'sessions:write': 'Deliver a session ahead of time, by the sandbox test helper.',
  'coverages:read': 'Read the latest observation of a coverage.',
  'coverages:write': 'Record coverage observations, alone or in batches.',
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
} as const;

export type Scope = keyof typeof scopeDescriptions;

/** Every scope, in the order of the documentation. */
export const scopes = Object.keys(scopeDescriptions) as Scope[];

/** The scope that stands for all of them. */
export const WILDCARD_SCOPE = '*';

/** What a key may be given: a scope or the wildcard. */
export type GrantedScope = Scope | typeof WILDCARD_SCOPE;

/** What an operation asks for: a scope, any valid credential, or a secret key (not a token) of any scope. */
export type RequiredScope = Scope | 'any key' | 'secret key';

/** Whether the text names a scope or the wildcard. */
export function isGrantedScope(text: string): text is GrantedScope {
  return text === WILDCARD_SCOPE || Object.hasOwn(scopeDescriptions, text);
}

/**
 * Whether a credential with these scopes has what the operation asks for. That a `secret key` is one, and not a token, is for
 * the caller to check: scopes can't tell.
 */
export function grants(granted: readonly string[], required: RequiredScope): boolean {
  if (required === 'any key' || required === 'secret key') return true;
  return granted.includes(required) || granted.includes(WILDCARD_SCOPE);
}

/** Whether every asked scope is covered by the granted ones: what a token may be given by a key. */
export function isSubset(asked: readonly GrantedScope[], granted: readonly string[]): boolean {
  return asked.every((scope) => granted.includes(scope) || granted.includes(WILDCARD_SCOPE));
}
