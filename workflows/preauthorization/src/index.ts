/** The pre-authorization's workflow, with the types of its messages and steps. */
export type * from './messages';
export type * from './ports';
export type * from './steps';
export { preauthorization } from './workflow';
