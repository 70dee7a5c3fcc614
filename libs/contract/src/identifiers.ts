// The prefixes and the format of public identifiers. Identifiers are generated in libs/domain.

import { Type } from 'typebox';
import { MAX_IDENTIFIER_LENGTH } from './limits';

/** The prefix of each kind of public identifier. */
export const identifierPrefixes = {
  practitioner: 'prc_',
  booking: 'bkg_',
  session: 'ses_',
  coverage: 'cov_',
  coverageObservation: 'cobs_',
  eligibilityCheck: 'elig_',
  preauthorization: 'preauth_',
  preauthorizationDecision: 'pad_',
  claim: 'clm_',
  claimInformationRequest: 'cir_',
  adjudication: 'adj_',
  remittance: 'rem_',
  paymentAdvice: 'adv_',
  recovery: 'rcv_',
  settlement: 'stl_',
  valuationRun: 'vrun_',
  bulkJob: 'job_',
  consent: 'con_',
  webhookEndpoint: 'whe_',
  event: 'evt_',
} as const;

export type IdentifierKind = keyof typeof identifierPrefixes;

/** The name of each kind of resource in descriptions and messages. */
export const identifierNouns: Record<IdentifierKind, string> = {
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
  paymentAdvice: 'payment advice',
  recovery: 'recovery',
  settlement: 'settlement',
  valuationRun: 'valuation run',
  bulkJob: 'bulk job',
  consent: 'consent',
  webhookEndpoint: 'webhook endpoint',
  event: 'event',
};

/** The prefixes of credentials, by type and by the environment in which they are valid. */
export const credentialPrefixes = {
  secretKey: { sandbox: 'sk_test_', production: 'sk_live_' },
  token: { sandbox: 'pt_test_', production: 'pt_live_' },
  signingSecret: 'whsec_',
} as const;

/** Returns the pattern (JSON Schema) of identifiers of a kind. It does not limit the length; MAX_IDENTIFIER_LENGTH does. */
export function identifierPattern(kind: IdentifierKind): string {
  return `^${identifierPrefixes[kind]}[A-Za-z0-9_-]+$`;
}

/**
 * Returns whether the text is a well-formed identifier of the kind. The resource need not exist.
 *
 * @example isIdentifier('claim', 'clm_0199f2a4') // true
 */
export function isIdentifier(kind: IdentifierKind, text: string): boolean {
  return text.length <= MAX_IDENTIFIER_LENGTH && new RegExp(identifierPattern(kind)).test(text);
}

const kinds = Object.keys(identifierPrefixes) as IdentifierKind[];
const kindOfPattern = new Map<unknown, IdentifierKind>(kinds.map((kind) => [identifierPattern(kind), kind]));

/** Returns the kind of identifiers that have this pattern; undefined for another pattern. */
export function kindOfIdentifierPattern(pattern: unknown): IdentifierKind | undefined {
  return kindOfPattern.get(pattern);
}

/** Returns the kind of an identifier; undefined if the value is no identifier. */
export function kindOfIdentifier(value: unknown): IdentifierKind | undefined {
  return typeof value === 'string' ? kinds.find((kind) => isIdentifier(kind, value)) : undefined;
}

/** Returns the identifier that examples use for a resource of the kind. */
export function exampleIdentifier(kind: IdentifierKind): string {
  return `${identifierPrefixes[kind]}0199f2a4c1d27b3e9a5f60718293a4b5`;
}

/** Creates the schema of an identifier of the kind. */
export function identifier(kind: IdentifierKind, description: string) {
  return Type.String({
    pattern: identifierPattern(kind),
    maxLength: MAX_IDENTIFIER_LENGTH,
    description,
    examples: [exampleIdentifier(kind)],
  });
}

/** Creates the schema of an identifier of any kind. */
export function anyIdentifier(description: string) {
  const alternatives = Object.values(identifierPrefixes).join('|');
  return Type.String({
    pattern: `^(${alternatives})[A-Za-z0-9_-]+$`,
    maxLength: MAX_IDENTIFIER_LENGTH,
    description,
    examples: [exampleIdentifier('booking')],
  });
}
