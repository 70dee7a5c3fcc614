// Public identifiers: their prefixes and form. Making one is the platform's task; recognising one is the contract's.
import Type from 'typebox';
import { MAX_IDENTIFIER_LENGTH } from './limits';

/** The prefix of each kind of public identifier. */
export const prefixes = {
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
  settlement: 'stl_',
  consent: 'con_',
  webhookEndpoint: 'whe_',
  event: 'evt_',
} as const;

export type IdentifierKind = keyof typeof prefixes;

/** The prefixes of credentials, by what they are and the environment in which they are valid. */
export const credentialPrefixes = {
  secretKey: { sandbox: 'sk_test_', production: 'sk_live_' },
  token: { sandbox: 'pt_test_', production: 'pt_live_' },
  signingSecret: 'whsec_',
} as const;

/** The regular expression, as JSON Schema writes it, of identifiers of a kind. Their length is limited apart. */
export function identifierPattern(kind: IdentifierKind): string {
  return `^${prefixes[kind]}[A-Za-z0-9_-]+$`;
}

/** Whether the text is a well-formed identifier of the kind. It need not exist. */
export function isIdentifier(kind: IdentifierKind, text: string): boolean {
  return text.length <= MAX_IDENTIFIER_LENGTH && new RegExp(identifierPattern(kind)).test(text);
}

/** The identifier that examples show for a kind. */
export function exampleIdentifier(kind: IdentifierKind): string {
  return `${prefixes[kind]}0199f2a4c1d27b3e9a5f60718293a4b5`;
}

/** The schema of an identifier of the kind. */
export function identifier(kind: IdentifierKind, description: string) {
  return Type.String({
    pattern: identifierPattern(kind),
    maxLength: MAX_IDENTIFIER_LENGTH,
    description,
    examples: [exampleIdentifier(kind)],
  });
}

/** The schema of an identifier of any kind. */
export function anyIdentifier(description: string) {
  const alternatives = Object.values(prefixes).join('|');
  return Type.String({
    pattern: `^(${alternatives})[A-Za-z0-9_-]+$`,
    maxLength: MAX_IDENTIFIER_LENGTH,
    description,
    examples: [exampleIdentifier('booking')],
  });
}
