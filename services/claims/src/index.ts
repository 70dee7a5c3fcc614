/** The claims service for those who start, test or look into it. */
export { claimActivities } from './activities';
export { CLAIMS_SETTINGS, type ClaimsConfig, claimsHandlers, startClaims } from './claims';
export { describeClaim } from './describe';
