/** HTTP: the server of a service, the client of other services, signed contexts, limits of connections. */

export * from './authority';
export * from './client-address';
export * from './close-server';
export { type CollectedResponse, collectResponse } from './collect-response';
export * from './connection-deadlines';
export * from './connection-maximums';
export * from './context';
export * from './error-response';
export { preferredType, prefersGzip } from './negotiation';
export * from './oldest-routes';
export * from './private-server';
export { type QueryParameters, readQueryParameters } from './query-parameters';
export * from './remote-steps';
export * from './replicas';
export * from './request-hash';
export * from './request-head';
export * from './response-end';
export * from './search-route';
export * from './service-client';
export * from './service-server';
export * from './static-response';
export * from './strict-json';
export * from './tls-server';
export { repeatWhenTooEarly, TooEarly, WAIT_HEADER } from './too-early';
export * from './upload';
