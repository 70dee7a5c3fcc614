/** The bulk job's workflow, with the types of its steps. */
export type * from './steps';
export { bulkJob } from './workflow';
