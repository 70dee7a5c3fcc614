/** The client's methods for the entry point of the API, for tokens, and for the test helpers of the sandbox. */
import type { PreauthorizationId, SessionId, TokenInput } from '../generated/types.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const api = (transport: Transport) => ({
  /**
   * Reads the version of the API and the environment of the key.
   *
   * @example
   * const { environment } = await carecover.api.retrieve();
   */
  retrieve: (options?: CallOptions) => transport.call('getApi', {}, options),
});

export interface ApiMethods extends ReturnType<typeof api> {}

export const tokens = (transport: Transport) => ({
  /**
   * Creates a token with a subset of the key's scopes, for a browser or an app. `expires_in` is in seconds. Only this response contains the token.
   *
   * @example
   * const { token } = await carecover.tokens.create({ scopes: ['bookings:read'], expires_in: 900 });
   */
  create: (body: TokenInput, options?: CallOptions) => transport.call('createToken', { body }, options),
});

export interface TokensMethods extends ReturnType<typeof tokens> {}

export const testHelpers = (transport: Transport) => ({
  /**
   * Delivers a session before its end. Sandbox only.
   *
   * @example
   * await carecover.testHelpers.deliverSession('ses_0199f2a4');
   */
  deliverSession: (id: SessionId, options?: CallOptions) =>
    transport.call('deliverSession', { params: { session_id: id } }, options),

  /**
   * Expires an approved pre-authorization before its time. Sandbox only.
   *
   * @example
   * await carecover.testHelpers.expirePreauthorization('preauth_0199f2a4');
   */
  expirePreauthorization: (id: PreauthorizationId, options?: CallOptions) =>
    transport.call('expirePreauthorization', { params: { preauthorization_id: id } }, options),
});

export interface TestHelpersMethods extends ReturnType<typeof testHelpers> {}
