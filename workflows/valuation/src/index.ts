/** The valuation run's workflow, with the types of its steps. */
export type * from './steps';
export { valuation } from './workflow';
