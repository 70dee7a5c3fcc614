/** The local stack: every server and service of Carecover on one machine. */
export { StartFailure } from './failure';
export { freePort } from './ports';
