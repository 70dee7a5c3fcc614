/**
 * Completes package-lock.json after `npm install`: adds the optional packages of other platforms, without which `npm ci` rejects the
 * lock file, and the missing hashes of packages, from the registry. It fails if the registry has no hash of a package, because npm
 * would install any content under that name.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const FILE = fileURLToPath(new URL('../package-lock.json', import.meta.url));

const SYSTEMS = {
  aix: 'aix',
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  openharmony: 'openharmony',
  sunos: 'sunos',
  win32: 'win32',
  windows: 'win32',
};
const PROCESSORS = {
  64: 'x64',
  arm: 'arm',
  arm64: 'arm64',
  ia32: 'ia32',
  loong64: 'loong64',
  mips64el: 'mips64el',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
  x64: 'x64',
};

/** Returns a lock file's content with an entry for every optional dependency, and the added names. */
function addOptionalPackages(lock) {
  const packages = { ...lock.packages };
  const added = [];
  for (const entry of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`;
      if (packages[path] !== undefined) continue;
      const platform = platformOf(name);
      // A range is not a version, and npm would install a package without a platform on every machine.
      if (!/^\d/.test(version) || platform === undefined) continue;
      packages[path] = { version, ...platform, optional: true };
      added.push(name);
    }
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { lock: { ...lock, packages: Object.fromEntries(sorted) }, added };
}

/** Returns the platform of a native package, which is part of its name. */
function platformOf(name) {
  const words = name.replace(/^.*\//, '').split(/[-.]/);
  const os = words.map((word) => SYSTEMS[word]).find((system) => system !== undefined);
  const cpu = words.map((word) => PROCESSORS[word]).find((processor) => processor !== undefined);
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) return undefined;
  return os === undefined ? { cpu: [cpu] } : { cpu: [cpu], os: [os] };
}

/** Returns the paths of packages from the registry that have no hash. */
function findUnhashed(lock) {
  return Object.entries(lock.packages)
    .filter(([path, { link, integrity }]) => isInstalled(path) && link !== true && integrity === undefined)
    .map(([path]) => path);
}

const isInstalled = (path) => path.includes('node_modules/');

/** Returns the hash of a package's version. @throws Error if the registry does not have this version */
async function fetchIntegrity(name, version) {
  const args = ['view', `${name}@${version}`, 'dist.integrity', '--json'];
  try {
    const { stdout } = await promisify(execFile)('npm', args);
    return JSON.parse(stdout);
  } catch (cause) {
    const advice = `Choose a version of the package that depends on it whose platform packages are all in the registry.`;
    throw new Error(`The registry has no hash of ${name}@${version}. ${advice}`, { cause });
  }
}

async function main() {
  const { lock, added } = addOptionalPackages(JSON.parse(readFileSync(FILE, 'utf8')));
  const unhashed = findUnhashed(lock);
  for (const path of unhashed) {
    const entry = lock.packages[path];
    entry.integrity = await fetchIntegrity(
      entry.name ?? path.replace(/^.*node_modules\//, ''),
      entry.version,
    );
  }
  if (added.length + unhashed.length > 0) writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(
    `${added.length} optional packages of other platforms and ${unhashed.length} hashes added to the lock file\n`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
