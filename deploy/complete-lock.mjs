/**
 * Completes package-lock.json after `npm install`: adds the optional packages of other platforms that npm left out (`npm ci`
 * rejects a lock file without them), and the hash of every package that has none, as the registry states it.
 * It fails where the registry does not carry such a package: a hash that is missing would let any content be installed.
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

/** A new lock file's content in which every optional dependency has an entry, and the names that were added. */
export function completed(lock) {
  const packages = { ...lock.packages };
  const added = [];
  for (const entry of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`;
      if (packages[path] !== undefined) continue;
      const platform = platformOf(name);
      // A range names no version, and without a platform npm would try to install it here.
      if (!/^\d/.test(version) || platform === undefined) continue;
      packages[path] = { version, ...platform, optional: true };
      added.push(name);
    }
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { lock: { ...lock, packages: Object.fromEntries(sorted) }, added };
}

/** Native packages say in their names what they run on. */
function platformOf(name) {
  const words = name.replace(/^.*\//, '').split(/[-.]/);
  const os = words.map((word) => SYSTEMS[word]).find((system) => system !== undefined);
  const cpu = words.map((word) => PROCESSORS[word]).find((processor) => processor !== undefined);
  if (cpu === undefined || (os === undefined && cpu !== 'wasm32')) return undefined;
  return os === undefined ? { cpu: [cpu] } : { cpu: [cpu], os: [os] };
}

/** Paths of the lock file's packages that come from the registry and have no hash. */
function withoutIntegrity(lock) {
  return Object.entries(lock.packages)
    .filter(([path, { link, integrity }]) => isInstalled(path) && link !== true && integrity === undefined)
    .map(([path]) => path);
}

const isInstalled = (path) => path.includes('node_modules/');

/** @throws where the registry does not carry this version */
async function integrityOf(name, version) {
  const args = ['view', `${name}@${version}`, 'dist.integrity', '--json'];
  try {
    const { stdout } = await promisify(execFile)('npm', args);
    return JSON.parse(stdout);
  } catch (cause) {
    const advice = `Choose a version of the package that wants it, all of whose platform packages the registry carries.`;
    throw new Error(`The registry has no hash of ${name}@${version}. ${advice}`, { cause });
  }
}

async function main() {
  const { lock, added } = completed(JSON.parse(readFileSync(FILE, 'utf8')));
  const unhashed = withoutIntegrity(lock);
  for (const path of unhashed) {
    const entry = lock.packages[path];
    entry.integrity = await integrityOf(entry.name ?? path.replace(/^.*node_modules\//, ''), entry.version);
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
