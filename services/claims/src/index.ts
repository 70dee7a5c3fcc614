/** The claims service for those who test or look into it. */
export { claimSteps } from './activities';
export { claimsForRemittances } from './activities/remittances';
export { claimsHandlers } from './build';
export { describeClaim } from './describe';
