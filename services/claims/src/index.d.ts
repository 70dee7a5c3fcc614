/** The claims service for those who start, test or look into it. */
export { CLAIMS_SETTINGS, type ClaimsConfig, startClaims } from './claims';
export { describeClaim } from './describe';
