/** Exports of the local stack, which runs all servers and services of Carecover on one machine. */
export { main } from './main';
export { runTests } from './run-tests';
