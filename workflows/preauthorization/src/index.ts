/** The pre-authorization's workflow, with the types of its steps. */
export type * from './steps';
export { preauthorization } from './workflow';
