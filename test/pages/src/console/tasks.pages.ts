/**
 * The thirteen tasks of a review of the console, by mouse and by keyboard. Each run prints the clicks and keys of each task beside what the
 * review had counted before the pages were changed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEndpointLimiter, createStackClients, startReceivers, World } from '@carecover/testing/stack';
import type { Page } from 'playwright-core';
import { ConsoleVisitor, during, type Role } from './console-visitor';
import { type Effort, type Hands, Keyboard, Mouse } from './hands';

let visitor: ConsoleVisitor;
let receivers: Awaited<ReturnType<typeof startReceivers>>;
let clients: ReturnType<typeof createStackClients>;
let world: World;
let folder: string;
const efforts: {
  readonly task: string;
  readonly hands: string;
  readonly before: string;
  readonly effort: Effort;
}[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carecover-tasks-'));
  receivers = await startReceivers();
  visitor = await ConsoleVisitor.start();
  const { stack, operator, moveClock } = visitor.test;
  clients = createStackClients(stack.file);
  const limitEndpoints = createEndpointLimiter(operator, stack.file.project_id);
  world = new World(clients.create(stack.file.secret_key), receivers, moveClock, limitEndpoints);
});
afterAll(async () => {
  const lines = efforts.map(({ task, hands, before, effort: { clicks, keys, pages, seconds } }) =>
    [
      task.padEnd(48),
      hands.padEnd(9),
      `${clicks} clicks`,
      `${keys} keys`,
      `${pages} pages`,
      `${seconds.toFixed(0)} s`,
      `before: ${before}`,
    ].join('  '),
  );
  process.stdout.write(`\n${lines.join('\n')}\n`);
  await clients?.close();
  receivers?.close();
  await visitor?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const HANDS = [
  ['mouse', Mouse],
  ['keyboard', Keyboard],
] as const;
const NOT_COUNTED = 'not counted';

/** Opens a page with a role, does a task there, and records its effort. */
function doTask(
  task: string,
  before: string,
  role: Role,
  path: string,
  hands: readonly [string, typeof Mouse | typeof Keyboard],
  work: (hands: Hands) => Promise<void>,
): Promise<void> {
  const [name, Kind] = hands;
  return during(visitor.visit(visitor.inProject(path), role), async ({ page, troubles }) => {
    const person = new Kind(page);
    await work(person);
    efforts.push({ task, hands: name, before, effort: person.effort });
    expect(troubles).toEqual([]);
  });
}

const menu = (page: Page, name: string) => page.locator('.side nav').getByRole('link', { name, exact: true });
const rowWith = (page: Page, text: string) => page.locator('main tr', { hasText: text });
const confirmButton = (page: Page) => page.locator('.confirm button.main');
const doneText = (page: Page) => page.locator('.done:focus').innerText();

/** Writes a bank's file with the given rows: reference, payer's reference and amount in minor units. */
function writeBankFile(rows: readonly (readonly [string, string, number])[]): string {
  const file = join(folder, `${world.uniqueReference('FILE')}.csv`);
  const lines = rows.map(
    ([reference, payer, amount]) =>
      `${reference},${payer},KES,${(amount / 100).toFixed(2)},2026-03-16T14:00:00Z`,
  );
  const header = 'source_reference,payer_reference,currency,amount,observed_at';
  writeFileSync(file, [header, ...lines, ''].join('\n'));
  return file;
}

async function importRow(reference: string, amount: number): Promise<void> {
  const { project_id } = visitor.test.stack.file;
  const file = writeBankFile([[reference, 'unknown', amount]]);
  await visitor.test.operator(
    'settlements',
    'import',
    file,
    '--project',
    project_id,
    '--amounts',
    'decimal-point',
  );
}

describe.each(HANDS)('with the %s', (...hands) => {
  test('1: a claim is found by its invoice', async () => {
    const { id, provider_claim_reference: invoice } = await world.createSubmittedClaim();
    await doTask('1 find by invoice', 'found nothing', 'viewer', '/today', hands, async (person) => {
      const { page } = person;
      if (person instanceof Keyboard) await person.key('/');
      else await person.press(page.locator('#head-search'));
      await person.typeHere(invoice?.toLowerCase() ?? '');
      await person.enter();
      await person.follow(page.locator('main td a').first());
      expect(page.url()).toContain(id);
    });
  });

  test('2: what a claim was worth on a day, and what has changed since', async () => {
    const { id } = await world.createAdjudicatedClaim();
    await doTask(
      '2 worth on a day, and what changed',
      NOT_COUNTED,
      'finance',
      `/claims/${id}`,
      hands,
      async (person) => {
        const { page } = person;
        await person.type(page.locator('#cutoffs [name="compare"]'), 'yesterday');
        await person.enter();
        await expect(page.locator('#sentence').innerText()).resolves.toMatch(/The claim did not exist on/);
        await expect(page.locator('#details tr[data-name="outstanding"]').innerText()).resolves.toMatch(
          /\+[\d,]+\.\d\d/,
        );
      },
    );
  });

  test('3: five claims are adjudicated', async () => {
    for (let count = 0; count < 6; count++) await world.createSubmittedClaim();
    const before = '5 times 14 clicks and 52 s';
    await doTask('3 adjudicate five', before, 'operator', '/adjudications', hands, async (person) => {
      const { page } = person;
      await person.follow(page.locator('main a.button'));
      await person.type(page.locator('#policy_reference'), 'policy:outpatient');
      await person.type(page.locator('#policy_version'), '2027.1');
      await person.type(page.locator('#reason_codes'), 'covered');
      for (let count = 0; count < 5; count++) {
        await person.press(page.locator('button[data-fill="billed"]'));
        await page.locator('#result .status.approved').waitFor();
        await person.follow(page.locator('button.main'));
        expect(await doneText(page)).toMatch(/: approved, the payer pays [\d,]+\.\d\d KES\.$/);
      }
    });
  });

  test('4: why a remittance is an exception is seen, and the wrong settlement is reversed', async () => {
    const remittance = await world.createRemittance();
    await world.client.settlements.create(world.settlementInput(remittance.id));
    const wrong = await world.client.settlements.create(world.settlementInput(remittance.id, 12_300));
    await doTask(
      '4 why in exception, and resolve',
      NOT_COUNTED,
      'finance',
      '/today',
      hands,
      async (person) => {
        const { page } = person;
        await person.follow(
          page
            .locator('main section', { hasText: 'in exception' })
            .getByRole('link', { name: remittance.payer_reference }),
        );
        await expect(page.locator('main').innerText()).resolves.toContain('amount exceeds advice');
        await person.choose(page.locator('#settlement'), wrong.source_reference);
        await person.type(page.locator('#reversal_reason'), 'recorded_in_error');
        await person.enter();
        await expect(page.locator('.effect').innerText()).resolves.toContain('will lack nothing');
        await person.follow(confirmButton(page));
        expect(await doneText(page)).toContain('was reversed');
      },
    );
    expect((await world.client.remittances.retrieve(remittance.id)).status).toBe('reconciled');
  });

  test('5: a bank’s file is imported after a dry run', async () => {
    const remittance = await world.createRemittance();
    const reference = world.uniqueReference('BANK');
    const file = writeBankFile([
      [reference, remittance.payer_reference, remittance.amount.paid],
      [`${reference}-B`, 'unknown', 100],
    ]);
    await doTask('5 import a bank’s file', 'not possible', 'finance', '/today', hands, async (person) => {
      const { page } = person;
      await person.follow(menu(page, 'Bank files'));
      await person.chooseFile(page.locator('#file'), file);
      await person.follow(page.locator('main form button.main'));
      await expect(page.locator('.effect').innerText()).resolves.toMatch(
        /settles a remittance\s+1\s+3,000\.00 KES/,
      );
      expect((await world.client.remittances.retrieve(remittance.id)).status).toBe('received');
      await person.follow(confirmButton(page));
      expect(await doneText(page)).toBe('The file was imported. 1 row waits for you.');
    });
    expect((await world.client.remittances.retrieve(remittance.id)).status).toBe('reconciled');
  });

  test('6: a bank’s row is matched', async () => {
    const remittance = await world.createRemittance();
    const reference = world.uniqueReference('ROW');
    // No other remittance lacks this amount.
    await world.client.settlements.create(world.settlementInput(remittance.id, 100_001));
    await importRow(reference, remittance.amount.paid - 100_001);
    await doTask('6 match', NOT_COUNTED, 'finance', '/unmatched-rows', hands, async (person) => {
      const { page } = person;
      await person.follow(rowWith(page, reference).locator('a'));
      await expect(rowWith(page, remittance.payer_reference).innerText()).resolves.toContain('exact');
      await person.follow(rowWith(page, remittance.payer_reference).locator('button'));
      await person.follow(confirmButton(page));
      expect(await doneText(page)).toContain(reference);
    });
    expect((await world.client.remittances.retrieve(remittance.id)).status).toBe('reconciled');
  });

  test('7: a deposit is divided among two remittances, and what remains is shown while typing', async () => {
    const [one, two] = [await world.createRemittance(), await world.createRemittance()];
    const reference = world.uniqueReference('DEPOSIT');
    await importRow(reference, 310_000);
    await doTask('7 divide', 'not possible', 'finance', '/unmatched-rows', hands, async (person) => {
      const { page } = person;
      await person.follow(rowWith(page, reference).locator('a'));
      await person.press(rowWith(page, one.payer_reference).locator('[type="checkbox"]'));
      await page.locator('#result', { hasText: '100.00 KES remain of 3,100.00 KES' }).waitFor();
      await person.type(rowWith(page, two.payer_reference).locator('[inputmode="decimal"]'), '60');
      await page.locator('#result', { hasText: '40.00 KES remain of 3,100.00 KES' }).waitFor();
      await person.follow(page.locator('form.decision button.main'));
      await expect(page.locator('.effect').innerText()).resolves.toContain('40.00 KES of the row stay open');
      await person.follow(confirmButton(page));
      expect(await doneText(page)).toContain('40.00 KES stay open');
    });
    expect((await world.client.remittances.retrieve(one.id)).status).toBe('reconciled');
    const report = await world.client.remittances.reconciliation(two.id);
    expect(report.observed).toBe(6_000);
  });

  test('8: what payers owe, by age', () =>
    doTask('8 owed by age', NOT_COUNTED, 'finance', '/today', hands, async (person) => {
      const { page } = person;
      await person.follow(menu(page, 'Receivables'));
      await expect(page.locator('.ages').first().innerText()).resolves.toMatch(/0 to 30 days/);
    }));

  test('9: two cutoffs are compared', () =>
    doTask('9 compare cutoffs', NOT_COUNTED, 'finance', '/receivables', hands, async (person) => {
      const { page } = person;
      await person.type(page.locator('#compare'), 'yesterday');
      await person.enter();
      await expect(page.locator('main').innerText()).resolves.toMatch(/\+[\d,]+\.\d\d/);
    }));

  test('10: why a webhook failed is seen, and the event is sent again', async () => {
    const endpoint = await world.createEndpoint(receivers.rejecting);
    await world.client.webhookEndpoints.test(endpoint.id).catch(() => undefined);
    await doTask(
      '10 why a webhook failed, and resend',
      NOT_COUNTED,
      'operator',
      '/webhooks',
      hands,
      async (person) => {
        const { page } = person;
        await person.follow(page.locator(`main a[href$="${endpoint.id}"]`).first());
        await person.follow(page.locator('main tbody a').first());
        await expect(page.locator('main').innerText()).resolves.toMatch(/\b(4|5)\d\d\b/);
        await person.follow(page.locator('form[action$="/redeliver"] button'));
        expect(await doneText(page)).not.toBe('');
      },
    );
  });

  test('11: a key is rotated', async () => {
    const { project_id } = visitor.test.stack.file;
    const name = world.uniqueReference('KEY');
    await visitor.test.operator('keys', 'create', '--project', project_id, '--scopes', '*', '--name', name);
    await doTask(
      '11 rotate a key',
      '1 click without confirmation',
      'administrator',
      '/keys',
      hands,
      async (person) => {
        const { page } = person;
        await person.follow(rowWith(page, name).locator('a'));
        await person.follow(page.locator('form[action$="/rotations"] button'));
        await person.follow(confirmButton(page));
        await page.locator('.secret [data-copy]').waitFor();
      },
    );
  });

  test('12: who did what on a day', () =>
    doTask('12 who did what yesterday', NOT_COUNTED, 'administrator', '/audit-log', hands, async (person) => {
      const { page } = person;
      await person.type(page.locator('#day'), 'yesterday');
      await person.enter();
      await expect(page.locator('#day:not([aria-invalid])').inputValue()).resolves.toBe('yesterday');
      await person.type(page.locator('#day'), 'today');
      await person.enter();
      expect(await page.locator('main tbody tr').count()).toBeGreaterThan(0);
    }));

  test('13: a table is exported', () =>
    doTask('13 export', NOT_COUNTED, 'finance', '/receivables', hands, async (person) => {
      const { page } = person;
      const download = page.waitForEvent('download');
      await person.press(page.locator('.csv a').first());
      const path = await (await download).path();
      expect(readFileSync(path, 'utf8')).toMatch(/^Name,Currency,Claims,Total,/);
    }));
});

test('a deposit is divided without JavaScript: the effect is shown before the act', async () => {
  const [one, two] = [await world.createRemittance(), await world.createRemittance()];
  const reference = world.uniqueReference('PLAIN');
  await importRow(reference, 500_000);
  await during(
    visitor.visit(visitor.inProject('/unmatched-rows'), 'finance', undefined, false),
    async ({ page }) => {
      await rowWith(page, reference).locator('a').click();
      await rowWith(page, one.payer_reference).locator('[type="checkbox"]').check();
      await rowWith(page, two.payer_reference).locator('[inputmode="decimal"]').fill('2000');
      await page.locator('form.decision button.main').click();
      await expect(page.locator('.effect').innerText()).resolves.toContain('Nothing of the row stays open');
      expect((await world.client.remittances.retrieve(one.id)).status).toBe('received');
      await confirmButton(page).click();
      await page.locator('.done').waitFor();
    },
  );
  expect((await world.client.remittances.retrieve(one.id)).status).toBe('reconciled');
});
