/**
 * Attacks the guarantee that the environment `production` has all protections: no process may start in that environment in a mode that
 * disables some protections.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const SERVICES = ['gateway', 'care', 'benefits', 'claims', 'payments', 'webhooks'];
const ROOT = join(__dirname, '../../..');

test.each(SERVICES.flatMap((service) => ['local', 'test'].map((mode) => [service, mode] as const)))(
  '%s does not start in the production environment in %s mode',
  (service, mode) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(ROOT, 'services', service, 'dist/main.js')],
      {
        env: { CARECOVER_ENVIRONMENT: 'production', CARECOVER_MODE: mode },
        encoding: 'utf8',
        timeout: 60_000,
      },
    );
    expect(status).toBe(1);
    expect(stdout + stderr).toContain('CARECOVER_MODE must be production');
  },
);
