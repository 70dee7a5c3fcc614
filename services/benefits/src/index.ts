/** What others may take from benefits by name: the erasure of a member, for the operator's command, and what benchmarks measure. */
export { benefitsActivities } from './activities';
export { eligibilityCheckHandlers } from './routes/eligibility-checks';
export { eraseMember, memberReferences } from './store/erasure';
