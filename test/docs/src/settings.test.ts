import { MIGRATE_SETTINGS } from '@carecover/service/migrate-main';
import { SETTINGS as benefits } from '../../../services/benefits/src/settings';
import { SETTINGS as care } from '../../../services/care/src/settings';
import { SETTINGS as claims } from '../../../services/claims/src/settings';
import { SETTINGS as consoleSettings } from '../../../services/console/src/settings';
import { SETTINGS as gateway } from '../../../services/gateway/src/settings';
import { SETTINGS as payments } from '../../../services/payments/src/settings';
import { SETTINGS as webhooks } from '../../../services/webhooks/src/settings';
import { readPage } from './pages';

const services = { gateway, care, benefits, claims, payments, webhooks };
const processes = { ...services, console: consoleSettings, migrate: MIGRATE_SETTINGS };

function formatDefault(reader: { readonly fallback?: { readonly value: unknown } }): string {
  return reader.fallback === undefined ? 'required' : String(reader.fallback.value ?? 'unset');
}

/** Lists the settings of all services with the same columns as the table in docs/operators/settings.md: name, services, default. */
function listSettings(): string[] {
  const readers = new Map<string, { names: string[]; fallback: string }>();
  for (const [name, settings] of Object.entries(processes)) {
    for (const [setting, reader] of Object.entries(settings)) {
      const known = readers.get(setting) ?? { names: [], fallback: formatDefault(reader) };
      readers.set(setting, { ...known, names: [...known.names, name] });
    }
  }
  return [...readers].map(([setting, { names, fallback }]) => {
    const all = Object.keys(services);
    const everyService = all.every((name) => names.includes(name));
    const others = names.filter((name) => !all.includes(name));
    return `${setting} | ${(everyService ? ['all', ...others] : names).join(', ')} | ${fallback}`;
  });
}

test("the operators' page has every setting with its services and its default", () => {
  const { text } = readPage('docs/operators/settings.md');
  const rows = [...text.matchAll(/^\| `(\w+)` +\| ([\w, ]+?) +\| `(\S+)` +\| \S/gm)];
  expect(rows.map(([, ...columns]) => columns.join(' | ')).sort()).toEqual(listSettings().sort());
});
