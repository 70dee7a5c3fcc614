/**
 * Runs the commands of the operators' pages `questions.md`, `everyday-tasks.md` and `portfolio.md` against a stack in the state that each
 * section describes.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Remittance } from '@carecover/contract';
import { eventually } from '@carecover/testing/servers';
import { extractBlocks, readPage } from '../../../docs/src/pages';
import { runBlock, sectionsOf, type Variables } from '../page-blocks';
import { CLI, running } from './world';

const QUESTIONS = sectionsOf('docs/operators/questions.md');
const TASKS = sectionsOf('docs/operators/everyday-tasks.md');
const PORTFOLIO = sectionsOf('docs/operators/portfolio.md');

/** Writes a settlement file with one payment of 300,000 (KES, minor units). */
async function writeSettlementFile(sourceReference: string, payerReference: string): Promise<string> {
  const file = join(running.stack.home.folder, `${sourceReference}.csv`);
  await writeFile(
    file,
    `source_reference,payer_reference,currency,amount,observed_at\n${sourceReference},${payerReference},KES,300000,2026-03-16T14:00:00Z\n`,
  );
  return file;
}

/** Writes a statement with one entry of a remittance's total, which has the remittance's reference. Returns the path. */
async function writeStatement(
  { id, payer_reference, amount }: Remittance,
  indicator: 'CRDT' | 'DBIT',
): Promise<string> {
  const file = join(running.stack.home.folder, `${id}-${indicator}.xml`);
  await writeFile(
    file,
    `<Document><BkToCstmrStmt><Stmt><Id>${id}</Id><Ntry><Amt Ccy="${amount.currency}">${(amount.paid / 100).toFixed(2)}</Amt>
<CdtDbtInd>${indicator}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-16</Dt></BookgDt><AcctSvcrRef>${id}-${indicator}</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><EndToEndId>${payer_reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`,
  );
  return file;
}

async function createException() {
  const { world } = running;
  const remittance = await world.createRemittance();
  const settlement = await world.client.settlements.create(world.settlementInput(remittance.id, 300_001));
  return { REMITTANCE: remittance.id, SETTLEMENT: settlement.id };
}

/** Creates an event, and waits until an endpoint has rejected the first attempt to deliver this event. */
async function createFailedDelivery() {
  const { world } = running;
  const endpoint = await world.createEndpoint(world.receivers.rejecting);
  const { preauthorization } = await world.createPendingPreauthorization();
  const event = await eventually('an attempt failed', async () => {
    const { data } = await world.client.webhookEndpoints.deliveries(endpoint.id);
    return data.find(({ history }) => history.length > 0);
  });
  return { ENDPOINT: endpoint.id, EVENT: event.id, PREAUTHORIZATION: preauthorization.id };
}

async function createSecret(): Promise<string> {
  const { project_id } = running.stack.file;
  const key = await running.operator<{ secret_key: string }>(
    ...['keys', 'create', '--project', project_id, '--scopes', 'claims:read', '--name', 'a lost laptop'],
  );
  return key.secret_key;
}

describe('everyday tasks', () => {
  const tested = new Set<string>();
  function task(heading: string, run: (blocks: readonly string[]) => Promise<void>): void {
    tested.add(heading);
    test(heading, () => run(TASKS.get(heading) ?? []));
  }

  task('A remittance in exception', async ([look, reverse]) => {
    const variables = await createException();
    const seen = await runBlock(look, variables);
    expect(seen).toMatch(new RegExp(`^${variables.REMITTANCE} +exception`, 'm'));
    expect(seen).toMatch(/^reason +amount_exceeds_advice$/m);
    expect(seen).toMatch(/^difference +1$/m);
    expect(seen.split('next steps')[1]).toContain(variables.SETTLEMENT);
    const reversed = await runBlock(reverse, variables);
    expect(reversed).toContain('"status":"reversed"');
    expect(reversed).toMatch(/^reason +awaiting_funds$/m);
  });

  task('A webhook that was not delivered', async ([look, send]) => {
    const { world } = running;
    const variables = await createFailedDelivery();
    const seen = await runBlock(look, variables);
    expect(seen).toContain(variables.EVENT);
    expect(seen).toMatch(/the last with response 500; the next attempt is at/);
    await world.client.webhookEndpoints.update(variables.ENDPOINT, { url: world.receivers.accepting });
    const sent = await runBlock(send, {
      ...variables,
      SINCE: new Date(Date.now() - 3_600_000).toISOString(),
    });
    expect(sent).toMatch(/^count +\d+$/m);
    await eventually('the event is delivered', async () => {
      const { data } = await world.client.webhookEndpoints.deliveries(variables.ENDPOINT);
      return data.find(({ id, delivered }) => id === variables.EVENT && delivered);
    });
  });

  task('A settlement file with unmatched rows', async ([load, assign, takeBack, dismiss]) => {
    const { id } = await running.world.createRemittance();
    const reference = running.world.uniqueReference('BANK');
    const seen = await runBlock(load, { FILE: await writeSettlementFile(reference, 'unknown-advice') });
    expect(seen).toContain('Nothing was recorded');
    expect(seen.match(/^line 2: no remittance has the reference unknown-advice$/gm)).toHaveLength(2);
    const row = new RegExp(`^(\\d+) .* ${reference} `, 'm').exec(seen)?.[1] ?? '';
    const assigned = await runBlock(assign, { ROW: row, REMITTANCE: id });
    expect(assigned).toMatch(/^status +matched$/m);
    expect(assigned).toMatch(/^status +reconciled$/m);
    const advice = await running.world.createRemittance();
    const credit = await writeStatement(advice, 'CRDT');
    expect(await runBlock(load, { FILE: credit })).toMatch(/^matched +1$/m);
    const returned = await runBlock(load, { FILE: await writeStatement(advice, 'DBIT') });
    expect(returned).toContain(`of ${advice.id} records the credit with the same references`);
    const rowOfReturn = /^(\d+) +\S+ +takeback /m.exec(returned)?.[1] ?? '';
    expect(await runBlock(takeBack, { ROW: rowOfReturn })).toContain('reversed');
    const refund = running.world.uniqueReference('BANK');
    const loaded = await runBlock(load, { FILE: await writeSettlementFile(refund, 'unknown-advice') });
    const rowOfRefund = new RegExp(`^(\\d+) .* ${refund} `, 'm').exec(loaded)?.[1] ?? '';
    const dismissed = await runBlock(dismiss, { ROW: rowOfRefund, REASON: 'refund of a supplier' });
    expect(dismissed).toMatch(/ not ours$/m);
  });

  task('Erasure on request', async ([erase]) => {
    const { member } = await running.world.createPendingPreauthorization();
    const seen = await runBlock(erase, { MEMBER_REFERENCE: member });
    expect(seen).toMatch(/^erased +true$/m);
    expect(seen).toContain('member.erase');
    expect(seen).not.toContain(member);
  });

  task('A leaked key of which only the secret is known', async ([revoke]) => {
    const secret = await createSecret();
    const seen = await runBlock(revoke, { SECRET: secret });
    expect(seen).toMatch(/^name +a lost laptop$/m);
    expect(seen).toMatch(/^revoked +true$/m);
    expect(seen).not.toContain(secret);
    expect(seen).toContain(secret.slice(0, 12));
    await expect(running.clients.create(secret).claims.list()).rejects.toMatchObject({
      code: 'api_key_invalid',
    });
  });

  task('Practitioners of a project', async ([load]) => {
    const [directory = ''] = extractBlocks(readPage('docs/operators/everyday-tasks.md'), 'csv');
    const file = join(running.stack.home.folder, 'directory.csv');
    await writeFile(file, directory);
    expect(await runBlock(load, { FILE: file })).toMatch(/^added +1$/m);
  });

  task('Coverages of a payer', async ([load]) => {
    const values = {
      coverage_reference: 'everyday-1',
      record_version: '1',
      tenant_reference: 'group/everyday',
      member_reference: 'member:everyday',
      service_code: 'psy.individual.50',
      plan_name: 'Outpatient',
      status: 'active',
      currency: 'KES',
      amount_limit: '400000',
      remaining_sessions: '12',
      authorization_required: 'TRUE',
      coordination_priority: '',
      valid_from: '2026-01-01T00:00:00Z',
      valid_until: '2028-01-01T00:00:00Z',
    };
    const file = join(running.stack.home.folder, 'coverages.csv');
    await writeFile(file, `${Object.keys(values).join()}\n${Object.values(values).join()}\n`);
    const seen = await runBlock(load, {
      FILE: file,
      CONTRACT: 'contract/1',
      INSTANT: '2026-01-02T00:00:00Z',
    });
    expect(seen).toMatch(/^recorded +1$/m);
  });

  task('Limits, origins and consent of a project', async ([set]) => {
    const project = await running.operator<{ project_id: string }>(
      ...['projects', 'create', 'limits', '--environment', 'sandbox'],
    );
    const seen = await runBlock(set, { PROJECT: project.project_id });
    expect(seen).toMatch(/^rate_limit_per_minute +3000$/m);
    expect(seen).toMatch(/^consent_default +withdrawn$/m);
  });

  task('What is owed to a provider at an instant', async ([owed]) => {
    await running.world.createAdjudicatedClaim();
    const seen = await runBlock(owed, { INSTANT: new Date().toISOString() });
    expect(seen).toMatch(/^KES +all claims +[1-9]\d* +[1-9]\d* +[1-9]/m);
  });

  test('every section is tested', () => expect([...TASKS.keys()]).toEqual([...tested]));
});

describe('questions', () => {
  const tested = new Set<string>();
  /**
   * Registers a test of one section of docs/operators/questions.md, which runs the section's only command.
   *
   * @param expected matches the output of the command
   * @param after ends what `prepare` began
   */
  function question(
    heading: string,
    prepare: () => Promise<Variables>,
    expected: RegExp,
    after: () => Promise<unknown> = async () => undefined,
  ): void {
    tested.add(heading);
    test(heading, async () => {
      const [command, ...others] = QUESTIONS.get(heading) ?? [];
      expect([command?.trim().split('\n').length, others]).toEqual([1, []]);
      try {
        expect(await runBlock(command, await prepare())).toMatch(expected);
      } finally {
        await after();
      }
    });
  }
  const nothing = async () => ({});
  let adjudicating: Promise<unknown> = Promise.resolve();
  /** Begins an adjudication, which can't end because the payments service is stopped. */
  const beginAdjudication = async () => {
    const { world, stack, operator } = running;
    const { id } = await world.createSubmittedClaim();
    await stack.part('payments').stop();
    adjudicating = world.client.claims.adjudicate(id, world.adjudicationInput());
    await eventually('the adjudication is in progress', async () =>
      (await operator<{ text: string }>('show', id)).text.includes('in progress'),
    );
    return { CLAIM: id };
  };
  const afterAdjudication = async () => {
    await running.world.createAdjudicatedClaim();
    return { INSTANT: new Date().toISOString() };
  };

  question('Which claims are overdue for information?', nothing, /^\(none\)$/m);
  question(
    'Why was a webhook not delivered, and how is it sent again?',
    async () => ({ CLAIM: (await createFailedDelivery()).PREAUTHORIZATION }),
    /the last with response 500/,
  );
  question('What was owed to a provider on the 1st at noon?', afterAdjudication, /KES/);
  question('How much is outstanding, by age?', afterAdjudication, /0.30/);
  question('Why is a remittance in exception?', createException, /^reason +amount_exceeds_advice$/m);
  question(
    'Which command of a claim is in progress, and at which step?',
    beginAdjudication,
    /^(in progress|interrupted): adjudicateClaim since /m,
    async () => {
      await running.stack.part('payments').start();
      await adjudicating;
    },
  );
  question(
    'How is a member erased?',
    async () => ({ MEMBER_REFERENCE: (await running.world.createPendingPreauthorization()).member }),
    /^erased +true$/m,
  );
  question(
    "How is today's settlement file imported?",
    async () => {
      const { payer_reference } = await running.world.createRemittance();
      return { FILE: await writeSettlementFile(running.world.uniqueReference('BANK'), payer_reference) };
    },
    /^matched +1$/m,
  );
  question(
    'A key leaked: how is it revoked?',
    async () => ({ SECRET: await createSecret() }),
    /^revoked +true$/m,
  );

  test('every question is tested', () => expect([...QUESTIONS.keys()]).toEqual([...tested]));
});

test('sums over all claims: every section is right about its commands', async () => {
  const { folder } = running.stack.home;
  await running.world.createAdjudicatedClaim();
  const then = new Date().toISOString();
  const { id } = await running.world.createAdjudicatedClaim();
  const now = new Date();
  // At the end of the last month the project had no claims, so that the CSV is rejected. The tests of the CLI write it for claims of earlier
  // months.
  const ACTUARY = 'An actuary asks for a triangle';
  const monthEnd = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) - 1);
  const variables = { THEN: then, NOW: now.toISOString(), MONTH_END: monthEnd.toISOString(), FOLDER: folder };
  const expected: Readonly<Record<string, RegExp>> = {
    'What was outstanding at an instant, as known then and as known now': /partially_approved/,
    'What changed between two instants': new RegExp(id),
    'How the claims of a month developed': /triangle\.html$/m,
    [ACTUARY]: /The triangle has 0 origins\. A CSV needs at least two/,
    'An auditor asks whether a result is right': /^claims +[1-9]/m,
    'The sums must be derived again': /^claims +[1-9]/m,
    'A run does not end': /^$/,
  };
  expect([...PORTFOLIO.keys()]).toEqual(Object.keys(expected));
  for (const [heading, output] of Object.entries(expected)) {
    const runs = await running.operator<{ id: string; claims_counted: number }[]>('valuation', 'list');
    const run = runs.find(({ claims_counted }) => claims_counted > 0);
    for (const block of PORTFOLIO.get(heading) ?? []) {
      const shown = runBlock(block, { ...variables, RUN: run?.id ?? '' });
      if (heading === ACTUARY) await expect(shown).rejects.toThrow(output);
      else expect(await shown).toMatch(output);
    }
  }
  expect(readFileSync(join(folder, 'triangle.html'), 'utf8')).toContain('<svg');
});

test.each([
  ['keys', '--help'],
  ['claims', 'list'],
])('carecover %s %s loads no other command and no library of the servers', async (command, argument) => {
  const script = `require(process.env.CLI);
    process.on('exit', () => console.log(JSON.stringify(Object.keys(require.cache))));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['-e', script, 'carecover', command, argument],
    {
      env: {
        ...process.env,
        CLI,
        CARECOVER_HOME: running.stack.home.folder,
      },
    },
  );
  const loaded: string[] = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  const files = (pattern: RegExp) => loaded.filter((file) => pattern.test(file));
  expect(files(/cli\/dist\/commands\//)).toEqual([expect.stringMatching(`commands/${command}.js$`)]);
  expect(files(/\/(@temporalio\/(client|worker)|@nats-io|koa)\//)).toEqual([]);
});

test('a command whose output is not read completes without an error', async () => {
  const { stderr } = await promisify(execFile)(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', '"$NODE" "$CLI" --help | true'],
    {
      env: { PATH: process.env.PATH, NODE: process.execPath, CLI },
    },
  );
  expect(stderr).toBe('');
});
