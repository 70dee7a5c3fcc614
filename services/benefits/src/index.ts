/** Exports of benefits: the erasure of a member, for the operator CLI, and the parts that benchmarks measure. */
export { benefitsActivities } from './activities';
export { eligibilityCheckHandlers } from './routes/eligibility-checks';
export { memberReferences } from './store/members';
export { eraseMember } from './use-cases/erase-member';
