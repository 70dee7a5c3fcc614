/**
 * Adds to package-lock.json the optional packages of other platforms that npm left out, because the registry it was
 * written from doesn't carry them: `npm ci` refuses a lock file without them. Run it after `npm install`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { lock, added } = completed(JSON.parse(readFileSync(FILE, 'utf8')));
  if (added.length > 0) writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`${added.length} optional packages of other platforms added to the lock file\n`);
}
