/** The claim's workflow, with the types of its steps and of the calls of commands on claims to other services. */
export type * from './steps';
export { claim } from './workflow';
