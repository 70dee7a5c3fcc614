/** What the local stack, the tests and the operator's tool use of the gateway. */
export { newCredential, parseCredential } from './credential';
export * from './operator/audit';
export * from './operator/keys';
export * from './operator/operator-error';
export * from './operator/projects';
export { startGateway } from './start';
