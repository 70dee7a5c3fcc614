// Takes screenshots of documentation pages for manual review, into the folder that the variable PAGES_PICTURES names.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { closeVisit, LOOKS, Visitor } from './visit';

const folder = process.env.PAGES_PICTURES;

const VIEWS = [
  '/docs',
  '/docs/quick-start',
  '/docs/claims',
  '/docs/valuation',
  '/docs/webhooks',
  '/docs/errors#rate_limited',
  '/docs/events',
  '/docs/reference',
  '/docs/reference#/Claims/createClaim',
];

(folder === undefined ? describe.skip : describe)('pictures', () => {
  let visitor: Visitor;

  beforeAll(async () => {
    mkdirSync(folder ?? '', { recursive: true });
    visitor = await Visitor.start();
  });
  afterAll(() => visitor?.stop());

  test.each(VIEWS)('%s', async (path) => {
    for (const [name, look] of LOOKS) {
      const visit = await visitor.visit(path, look);
      if (path.includes('createClaim')) await visit.page.locator('.responses-table').first().waitFor();
      const file = `${path.slice(1).replaceAll(/[#/]+/g, '-')} ${name}.png`.replaceAll(/,? /g, '-');
      await visit.page.screenshot({ path: join(folder ?? '', file), fullPage: !path.includes('#') });
      await closeVisit(visit);
    }
  });
});
