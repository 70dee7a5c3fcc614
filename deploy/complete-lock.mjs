/**
 * Completes package-lock.json after `npm install`: adds the optional packages of other platforms, without which `npm ci` rejects the lock
 * file, and the missing hashes of packages from the registry. Fails if the registry has no hash of a package, because npm would then
 * install any content under the package's name.
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

/**
 * Adds an entry for every optional dependency to the content of a lock file. Returns the new content and the names of the added packages.
 */
function addOptionalPackages(lock) {
  const packages = { ...lock.packages };
  const added = [];
  for (const entry of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`;
      if (packages[path] !== undefined) continue;
      const platform = platformOf(name);
      // Skips a dependency whose version is a range. Also skips a package that is for no single platform, because npm installs such a
      // package on every machine.
      if (!/^\d/.test(version) || platform === undefined) continue;
      packages[path] = { version, ...platform, optional: true };
      added.push(name);
    }
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { lock: { ...lock, packages: Object.fromEntries(sorted) }, added };
}

/** Returns the platform of a native package from its name; undefined if the name contains none. */
function platformOf(name) {
  const words = name.replace(/^.*\//, '').split(/[-.]/);
  const os = words.map((word) => SYSTEMS[word]).find((system) => system !== undefined);
  const cpu = words.map((word) => PROCESSORS[word]).find((processor) => processor !== undefined);
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) return undefined;
  return os === undefined ? { cpu: [cpu] } : { cpu: [cpu], os: [os] };
}

/** Returns the paths of those packages in a lock file that are installed from the registry and have no hash. */
function findUnhashed(lock) {
  return Object.entries(lock.packages)
    .filter(([path, { link, integrity }]) => isInstalled(path) && link !== true && integrity === undefined)
    .map(([path]) => path);
}

const isInstalled = (path) => path.includes('node_modules/');

/** Reads the hash of a version of a package from the registry. @throws Error if the registry does not have this version */
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
