/** The claim's workflow, with the types of its steps. */
export type * from './steps';
export { claim } from './workflow';
