// The Jest configuration of the suites that need a browser. Only `npm run test:pages` runs them.
const { roots: _all, ...usual } = require('../../jest.config.js');

module.exports = {
  ...usual,
  rootDir: '../..',
  roots: ['<rootDir>/test/pages'],
  testMatch: ['**/src/**/*.pages.ts'],
  testTimeout: 120_000,
  maxWorkers: 1,
};
