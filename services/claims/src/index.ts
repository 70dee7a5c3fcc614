/** The claims service for those who test or look into it. */
export { claimsActivities } from './activities';
export { claimsHandlers } from './build';
export { describeClaim } from './describe';
