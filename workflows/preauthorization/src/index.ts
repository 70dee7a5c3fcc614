/** The pre-authorization's workflow, its messages and what it asks of others. */
export * from './messages';
export type * from './ports';
export { type PreauthorizationInput, preauthorization } from './workflow';
