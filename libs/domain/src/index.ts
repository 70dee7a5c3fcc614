/** Values that rules, use cases and stores of all services share: API errors, tenants and callers, commands, events, IDs. */

export * from './api-error';
export * from './canonical';
export * from './command';
export * from './event';
export * from './ids';
export * from './project-time';
export * from './references';
export * from './resource-change';
export * from './tenant';
export { isTraceparent, TRACEPARENT } from './traceparent';
