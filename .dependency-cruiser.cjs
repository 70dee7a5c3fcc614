/**
 * The direction of imports, which `npm run lint` checks. CONTRIBUTING.md explains the layers. SQL outside a store is found by
 * sql-outside-store.grit.
 */
const SERVICE = '^services/([^/]+)/src';
const PRODUCTION = { pathNot: ['[.]test[.]ts$', '/testing/'] };
const LAYERS = ['routes', 'use-cases', 'activities', 'rules', 'store'];
/** The files that assemble a service from its layers. No layer can import them. */
const COMPOSITION = '(main|build|index|sweeps|gauges)[.]ts$';

/** Returns a rule that forbids the files of a layer, except tests, to import the `forbidden` layers of the same service. */
function layer(name, forbidden, comment) {
  return {
    name: `${name}-imports`,
    comment,
    severity: 'error',
    from: { path: `${SERVICE}.*/${name}(/|[.]ts$)`, ...PRODUCTION },
    to: {
      path: [`^services/$1/src.*/(${forbidden.join('|')})(/|[.]ts$)`, `^services/$1/src/${COMPOSITION}`],
    },
  };
}

/**
 * The libraries of the services in layers: a library imports only libraries before it. The other libraries (contract, client, setup, ...) are
 * not restricted here.
 */
const LIBRARIES = [
  'config',
  'domain',
  'telemetry',
  'process',
  'postgres',
  'temporal',
  'commands',
  'events',
  'http',
  'service',
  'import-files',
  'charts',
];

/** Returns a rule for each library: it imports no library after it. */
function libraryLayers() {
  return LIBRARIES.slice(0, -1).map((name, index) => ({
    name: `library-${name}`,
    comment: `A library imports only libraries before it: ${LIBRARIES.join(', ')}.`,
    severity: 'error',
    from: { path: `^libs/${name}/src`, ...PRODUCTION },
    to: { path: `^libs/(${LIBRARIES.slice(index + 1).join('|')})/` },
  }));
}

const except = (...allowed) => LAYERS.filter((name) => !allowed.includes(name));

module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'Files that import each other are one concept: join them, or move what both use.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    layer(
      'routes',
      except('routes', 'use-cases', 'store'),
      'A route calls a use case. A read without a decision can call the store.',
    ),
    layer('activities', except('activities', 'use-cases'), 'A step of a workflow calls a use case.'),
    layer(
      'use-cases',
      except('use-cases', 'rules', 'store'),
      'A use case decides by rules, and reads and writes through the store.',
    ),
    layer('rules', except('rules'), 'A rule takes values and returns values.'),
    layer('store', except('store', 'rules'), 'A store executes SQL; it decides nothing.'),
    {
      name: 'rules-are-pure',
      // Two exceptions: transitions-document.ts can write files, because it renders the table of transitions as a document. All files in
      // rules/ can import Luxon, because Luxon only calculates with times.
      comment: 'A rule takes values and returns values: no HTTP, database, Temporal, network, file or timer.',
      severity: 'error',
      from: { path: `${SERVICE}/rules/`, pathNot: [...PRODUCTION.pathNot, '/transitions-document[.]ts$'] },
      to: {
        path: [
          '^services/$1/src/(?!rules/)',
          '^libs/(?!contract/|domain/)',
          'node_modules/(?!luxon/)',
          '^(node:)?(?!crypto$)[a-z_/]+$',
        ],
      },
    },
    {
      name: 'one-postgresql-client',
      comment:
        'Services use connectPostgres of libs/postgres (decision 0023). Migrations and the local stack administrate servers.',
      severity: 'error',
      from: { path: '^(services|workflows|libs/(?!postgres/|setup/|testing/))' },
      to: { path: 'node_modules/(@types/)?pg/' },
    },
    {
      name: 'no-other-service',
      comment: 'A service calls another one over HTTP, by the types of the workflow packages.',
      severity: 'error',
      from: { path: SERVICE },
      to: { path: '^services/(?!$1/)' },
    },
    {
      name: 'libraries-below-services',
      comment: 'The CLI administers all services, and the shared tests start them.',
      severity: 'error',
      from: { path: '^(libs/(?!cli/|testing/)|workflows/)', ...PRODUCTION },
      to: { path: '^services/' },
    },
    ...libraryLayers(),
    {
      name: 'no-tools-in-product',
      comment: 'Product code imports neither the tools of the stack in deploy/ nor test helpers.',
      severity: 'error',
      from: { path: '^(services|workflows|libs/(?!testing/))', ...PRODUCTION },
      to: { path: '^(deploy|test|libs/testing)/' },
    },
  ],
  options: {
    // The parser is swc, because TypeScript 7 has no API by which dependency-cruiser could use TypeScript's parser.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // Version 17 can't parse JSX, and version 18 needs Node 22. The imports of the console's pages are checked by Biome (biome.json).
    exclude: { path: '(/dist/|[.]tsx$)' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      // Imports of this repository's packages resolve to their sources, so that the check needs no build.
      conditionNames: ['types', 'import', 'require'],
    },
  },
};
