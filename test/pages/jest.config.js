// Suites that need a browser, and so are run by `npm run test:pages` alone.
const { roots: _all, ...usual } = require('../../jest.config.js');

module.exports = {
  ...usual,
  rootDir: '../..',
  roots: ['<rootDir>/test/pages'],
  testMatch: ['**/src/**/*.pages.ts'],
  testTimeout: 120_000,
  maxWorkers: 1,
};
