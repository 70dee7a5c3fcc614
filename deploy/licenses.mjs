/**
 * Writes THIRD_PARTY_LICENSES.md: the licence of every package in package-lock.json, and of the servers that run beside the services.
 *
 * Usage: node deploy/licenses.mjs [--print]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const FILE = fileURLToPath(new URL('THIRD_PARTY_LICENSES.md', ROOT));

/** The licences of packages whose package.json names none, copied from their LICENSE files. */
const UNDECLARED = { unionfs: 'Unlicense' };

function licenseOf(name, declared) {
  const license = declared ?? UNDECLARED[name];
  if (license === undefined)
    throw new Error(`${name} declares no licence: add the one of its file LICENSE here.`);
  return license;
}

/** Returns Markdown with the packages of each licence. */
function renderPackages(entries) {
  const byLicense = new Map();
  for (const [path, entry] of entries) {
    const name = entry.name ?? path.replace(/^.*node_modules\//, '');
    const license = licenseOf(name, entry.license);
    byLicense.set(license, (byLicense.get(license) ?? new Set()).add(`${name} ${entry.version}`));
  }
  return [...byLicense]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([license, names]) => `**${license}:** ${[...names].sort().join(', ')}.`)
    .join('\n\n');
}

function renderLicenses() {
  const lock = JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8'));
  const packages = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  );
  const isDevelopment = ([, { dev, devOptional }]) => dev === true || devOptional === true;
  return `# Licences of dependencies

This page is written by \`npm run licenses\` from \`package-lock.json\`. Carecover has no licence yet (UNLICENSED).

## Packages at run time

${renderPackages(packages.filter((each) => !isDevelopment(each)))}

## Packages for development and tests

${renderPackages(packages.filter(isDevelopment))}

## Servers and checks

They run as separate programs, unchanged; none is part of a package or image of this repository.

| program | licence |
| --- | --- |
| PostgreSQL | PostgreSQL |
| NATS | Apache-2.0 |
| Temporal's server and UI | MIT |
| Temporal's time-skipping test server | Apache-2.0 |
| actionlint | MIT |
| oasdiff | Apache-2.0 |
`;
}

if (process.argv[2] === '--print') process.stdout.write(renderLicenses());
else writeFileSync(FILE, renderLicenses());
