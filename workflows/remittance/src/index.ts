/** The remittance's workflow, with the types of its steps. */
export type * from './steps';
export { remittance } from './workflow';
