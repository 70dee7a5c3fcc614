/** The remittance's workflow and what it says and asks. */
export type * from './ledger';
export type * from './messages';
export type * from './ports';
export { remittanceWorkflow } from './remittance';
