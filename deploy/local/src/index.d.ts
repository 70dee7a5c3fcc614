/** The local stack: every server and service of Carecover on one machine. */
export { main } from './main';
export { runTests } from './run-tests';
