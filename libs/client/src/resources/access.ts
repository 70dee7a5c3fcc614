/** The client's methods for the entry point of the API, for tokens, and for the test helpers of the sandbox. */
import type { PreauthorizationId, SessionId, TokenInput } from '../generated/types.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const api = (transport: Transport) => ({
  retrieve: (options?: CallOptions) => transport.call('getApi', {}, options),
});

export const tokens = (transport: Transport) => ({
  /** Creates a token. Only this response contains it. */
  create: (body: TokenInput, options?: CallOptions) => transport.call('createToken', { body }, options),
});

export const testHelpers = (transport: Transport) => ({
  deliverSession: (id: SessionId, options?: CallOptions) =>
    transport.call('deliverSession', { params: { session_id: id } }, options),

  expirePreauthorization: (id: PreauthorizationId, options?: CallOptions) =>
    transport.call('expirePreauthorization', { params: { preauthorization_id: id } }, options),
});
