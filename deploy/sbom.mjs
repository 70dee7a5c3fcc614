/**
 * Prints the software bill of materials of the packages that run in production, in the CycloneDX format.
 *
 * The npm option `--omit dev` is not used, because it also leaves out production packages that are a development dependency of another
 * workspace.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bill = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel=error'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    maxBuffer: 64 * 1024 * 1024,
  }),
);
const isDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
const left = new Set(bill.components.filter(isDevelopment).map((component) => component['bom-ref']));
const isKept = (ref) => !left.has(ref);
const production = {
  ...bill,
  components: bill.components.filter((component) => isKept(component['bom-ref'])),
  dependencies: bill.dependencies
    .filter(({ ref }) => isKept(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
};
process.stdout.write(`${JSON.stringify(production, null, 2)}\n`);
