/** The remittance's workflow, with the types of its messages and steps. */
export type * from './messages';
export type * from './ports';
export type * from './steps';
export { remittanceWorkflow } from './workflow';
