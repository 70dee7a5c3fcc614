/** Exports of benefits: the erasure of a member, for the operator CLI, and the parts that benchmarks measure. */
export { benefitsActivities } from './activities';
export { eligibilityCheckHandlers } from './routes/eligibility-checks';
export { eraseMember, memberReferences } from './store/erasure';
