/** The remittance's workflow, and the types of what is said to it and of what it asks. */
export type * from './messages';
export type * from './ports';
export type * from './steps';
export { remittanceWorkflow } from './workflow';
