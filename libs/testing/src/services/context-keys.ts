/** Keys of the signed context for tests: one private key per issuer, and the settings of processes that have them. */

import {
  COMMON_SETTINGS,
  ISSUER_SETTINGS,
  ISSUERS,
  type Issuer,
  loadConfig,
  newPrivateKey,
  publicKeyOf,
} from '@carecover/config';
import type { ServiceName } from '@carecover/contract';
import { ContextSigner, ContextVerifier, type VerifiedCaller } from '@carecover/http';
import { createLog } from '@carecover/telemetry';

const privateKeys = Object.fromEntries(ISSUERS.map((issuer) => [issuer, newPrivateKey()])) as Record<
  Issuer,
  string
>;
const publicKeys = ISSUERS.map((issuer) => `${issuer}:${publicKeyOf(privateKeys[issuer])}`).join(',');

const { CONTEXT_PUBLIC_KEYS } = COMMON_SETTINGS;

/** The settings, as text, of a process that verifies contexts; with an issuer, of one that signs them too. */
export function contextSettings(issuer?: Issuer): Record<string, string> {
  const own = issuer === undefined ? {} : { CONTEXT_PRIVATE_KEY: privateKeys[issuer] };
  return { CONTEXT_PUBLIC_KEYS: publicKeys, ...own };
}

/** The public keys of all issuers in tests. */
export const TEST_ISSUER_KEYS = loadConfig({ CONTEXT_PUBLIC_KEYS }, contextSettings()).CONTEXT_PUBLIC_KEYS;

/** The settings of an issuer in tests, with the parsed keys. */
export const keysOfIssuer = (issuer: Issuer) =>
  loadConfig({ CONTEXT_PUBLIC_KEYS, ...ISSUER_SETTINGS }, contextSettings(issuer));

const signers = new Map<Issuer, ContextSigner>();

/** Returns the signer of an issuer in tests. */
export function signerOf(issuer: Issuer): ContextSigner {
  const signer = signers.get(issuer) ?? new ContextSigner(issuer, keysOfIssuer(issuer));
  signers.set(issuer, signer);
  return signer;
}

const SERVICES: readonly ServiceName[] = ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks'];
const verifiers = SERVICES.map((service) => ({
  service,
  verifier: new ContextVerifier(service, TEST_ISSUER_KEYS, createLog('test', 'silent')),
}));

/**
 * Verifies a context for whichever service it was made, for a server of a test that stands for several services. Returns null if it is
 * valid for none.
 */
export function verifyForAny(
  context: string | string[] | undefined,
  requestId: string,
): (VerifiedCaller & { readonly service: ServiceName }) | null {
  if (typeof context !== 'string') return null;
  for (const { service, verifier } of verifiers) {
    const verified = verifier.verify(context, requestId);
    if (verified !== null) return { service, ...verified };
  }
  return null;
}
