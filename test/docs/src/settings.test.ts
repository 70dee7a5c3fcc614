import { MIGRATE_SETTINGS } from '../../../libs/platform/src/migrate-main';
import { SETTINGS as BENEFITS_SETTINGS } from '../../../services/benefits/src/settings';
import { CARE_SETTINGS } from '../../../services/care/src/care';
import { CLAIMS_SETTINGS } from '../../../services/claims/src/claims';
import { GATEWAY_SETTINGS } from '../../../services/gateway/src/settings';
import { settings as PAYMENTS_SETTINGS } from '../../../services/payments/src/settings';
import { SETTINGS as WEBHOOKS_SETTINGS } from '../../../services/webhooks/src/settings';
import { page } from './pages';

const services = {
  gateway: GATEWAY_SETTINGS,
  care: CARE_SETTINGS,
  benefits: BENEFITS_SETTINGS,
  claims: CLAIMS_SETTINGS,
  payments: PAYMENTS_SETTINGS,
  webhooks: WEBHOOKS_SETTINGS,
};

function defaultOf(reader: { readonly fallback?: { readonly value: unknown } }): string {
  return reader.fallback === undefined ? 'required' : String(reader.fallback.value ?? 'unset');
}

/** As the page has them: the setting, who reads it, its default. */
function declared(): string[] {
  const readers = new Map<string, { names: string[]; fallback: string }>();
  for (const [name, settings] of Object.entries({ ...services, migrate: MIGRATE_SETTINGS })) {
    for (const [setting, reader] of Object.entries(settings)) {
      const known = readers.get(setting) ?? { names: [], fallback: defaultOf(reader) };
      readers.set(setting, { ...known, names: [...known.names, name] });
    }
  }
  return [...readers].map(([setting, { names, fallback }]) => {
    const everyService = names.join() === Object.keys(services).join();
    return `${setting} | ${everyService ? 'all' : names.join(', ')} | ${fallback}`;
  });
}

test("the operators' page has every setting of every process, who reads it and its default", () => {
  const { text } = page('docs/operators/settings.md');
  const rows = [...text.matchAll(/^\| `(\w+)` +\| ([\w, ]+?) +\| `(\S+)` +\| \S/gm)];
  expect(rows.map(([, ...columns]) => columns.join(' | ')).sort()).toEqual(declared().sort());
});
