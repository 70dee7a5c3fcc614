/**
 * Tests the console over HTTP, without a browser: sign-in at the identity provider, what each role can see and do, forms that other
 * origins send, and the audit log. test/pages tests the same pages in a browser.
 */
import { randomUUID } from 'node:crypto';
import type { Claim } from '@carecover/client';
import { connectPostgres } from '@carecover/postgres';
import { eventually } from '@carecover/testing/servers';
import { confirmationIn, type Role, Visitor, visitAs } from '@carecover/testing/stack';
import { running } from './world';

/** Writes an amount of minor units as a person types it. */
const major = (amount: number) => (amount / 100).toFixed(2);

let origin: string;
let project: string;
let claim: Claim;
beforeAll(async () => {
  const { file } = running.stack;
  origin = file.console_url;
  project = `/projects/${file.project_id}`;
  claim = await running.world.createSubmittedClaim();
});

const asRole = (role: Role, path?: string) => visitAs(origin, role, path);

const pagesOf = (id: string) =>
  ['/today', '/search', '/claims', `/claims/${id}`].map((path) => project + path);

const acts = (id: string) => ({
  [`${project}/claims/${id}/information-requests`]: {
    reason_code: 'notes_missing',
    types: 'notes',
    key: randomUUID(),
  },
  [`${project}/claims/${id}/reversals`]: { reversal_reason: 'recorded_in_error', key: randomUUID() },
});

test.each<Role>(['viewer', 'operator', 'finance', 'administrator'])(
  'a %s sees every page, and acts only as the role permits',
  async (role) => {
    const { visitor, shown } = await asRole(role, `${project}/claims?status=submitted`);
    expect(shown.url.pathname + shown.url.search).toBe(`${project}/claims?status=submitted`);
    for (const path of pagesOf(claim.id)) {
      const page = await visitor.get(path);
      expect({ path, status: page.status }).toEqual({ path, status: 200 });
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    }
    const mayAct = role === 'operator' || role === 'administrator';
    expect((await visitor.get(`${project}/claims/${claim.id}/adjudicate`)).status).toBe(mayAct ? 200 : 404);
    if (mayAct) return;
    for (const [path, form] of Object.entries(acts(claim.id))) {
      const page = await visitor.post(path, { ...form, csrf: visitor.tokenOf(shown) });
      expect({ path, status: page.status }).toEqual({ path, status: 404 });
    }
    expect((await running.world.client.claims.retrieve(claim.id)).status).toBe('submitted');
  },
);

test('a form without a token of its person, with that of another person, or of another origin is rejected', async () => {
  const { visitor, shown } = await asRole('operator');
  const other = await asRole('administrator');
  const [path = '', form = {}] = Object.entries(acts(claim.id))[0] ?? [];
  const token = visitor.tokenOf(shown);
  for (const csrf of ['', 'x'.repeat(token.length), other.visitor.tokenOf(other.shown)])
    expect((await visitor.post(path, { ...form, csrf })).status).toBe(403);
  const foreign = await visitor.post(path, { ...form, csrf: token }, { origin: 'https://example.com' });
  expect(foreign.status).toBe(403);
  expect((await new Visitor(origin).post(path, { ...form, csrf: token })).status).toBe(403);
  expect((await running.world.client.claims.retrieve(claim.id)).status).toBe('submitted');
});

test('the token of the forms differs on each page, so that the size of compressed pages does not disclose it', async () => {
  const { visitor } = await asRole('viewer');
  const tokens = await Promise.all([1, 2, 3].map(async () => visitor.tokenOf(await visitor.get('/'))));
  expect(new Set(tokens).size).toBe(3);
  expect((await visitor.post('/sign-out', { csrf: tokens[0] ?? '' })).status).toBe(200);
});

test('foreign, malformed and unknown IDs, and unknown pages, answer alike', async () => {
  const { visitor } = await asRole('administrator');
  const bodies = new Set<string>();
  for (const path of [
    `${project}/claims/clm_00000000000070008000000000000000`,
    `${project}/claims/none`,
    `/projects/prj_unknown/claims/${claim.id}`,
    `${project}/nothing`,
  ]) {
    const { status, html } = await visitor.get(path);
    expect({ path, status }).toEqual({ path, status: 404 });
    bodies.add(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html);
  }
  expect(bodies.size).toBe(1);
});

test('an operator adjudicates; a rejected form changes nothing and keeps its values; a repeated one has one effect', async () => {
  const own = await running.world.createSubmittedClaim();
  const { visitor } = await asRole('operator');
  const address = `${project}/claims/${own.id}/adjudications`;
  const page = await visitor.get(`${project}/claims/${own.id}/adjudicate`);
  const form = (payer: number) => ({
    csrf: visitor.tokenOf(page),
    key: /name="key" value="([^"]+)"/.exec(page.html)?.[1] ?? '',
    policy_reference: 'policy:one',
    policy_version: '7',
    reason_codes: 'covered',
    ...Object.fromEntries(
      own.lines.flatMap(({ line_number: line, amount }) => [
        [`allowed_${line}`, major(amount)],
        [`payer_${line}`, major(amount - payer)],
        [`patient_responsibility_${line}`, '0'],
        [`adjustment_${line}`, '0'],
      ]),
    ),
  });
  const rejected = await visitor.post(address, form(1));
  expect(rejected.status).toBe(400);
  expect(rejected.html).toContain('role="alert"');
  expect(rejected.html).toContain('value="policy:one"');
  expect((await running.world.client.claims.retrieve(own.id)).status).toBe('submitted');
  const confirmed = confirmationIn(await visitor.post(address, form(0)), address) ?? {};
  expect((await running.world.client.claims.retrieve(own.id)).status).toBe('submitted');
  for (const _ of [1, 2]) expect((await visitor.post(address, confirmed)).status).toBe(200);
  expect(await running.world.client.claims.retrieve(own.id)).toMatchObject({
    status: 'approved',
    adjudication: { version: 1 },
  });
  const admin = connectPostgres(running.stack.file.database_url, 1, 'test');
  const entries = await admin<{ actor: string; action: string }[]>`
    select actor, action from gateway.audit_log where subject = ${own.id} order by id`;
  const facts = await admin<{ authority: string }[]>`
    select authority from claims.facts join claims.actors on digest = authority_digest
    where claim_id = ${own.id} and type = 'approved'`;
  await admin.end();
  const entry = { actor: 'demo-operator', action: 'claim.adjudicate' };
  expect([...entries]).toEqual([entry]);
  expect([...facts]).toEqual([{ authority: 'operator:demo-operator' }]);
});

test('an operator denies a chosen claim by a bulk job, which decides in the name of the person and has its results as CSV', async () => {
  const own = await running.world.createSubmittedClaim();
  const { visitor } = await asRole('operator');
  const address = `${project}/adjudications`;
  const shown = await visitor.submit(address, address, {
    claim: [own.id, own.status, own.submission_version, 'none'].join(' '),
    ...{
      decision: 'nothing',
      policy_reference: 'policy:one',
      policy_version: '1',
      reason_codes: 'not_covered',
    },
  });
  expect(shown.url.pathname).toMatch(/\/bulk-jobs\/job_\w+$/);
  const results = await eventually('the job has a result', async () => {
    const file = await visitor.get(`${shown.url.pathname}/results`);
    return file.html.includes('succeeded') ? file : undefined;
  });
  expect(results.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(results.html).toContain(own.id);
  expect((await running.world.client.claims.retrieve(own.id)).status).toBe('denied');
  const admin = connectPostgres(running.stack.file.database_url, 1, 'test');
  const facts = await admin<{ authority: string }[]>`
    select authority from claims.facts join claims.actors on digest = authority_digest
    where claim_id = ${own.id} and type = 'denied'`;
  await admin.end();
  expect([...facts]).toEqual([{ authority: 'operator:demo-operator' }]);
});

test('the page of a claim shows the commands that were rejected, also after it has ended', async () => {
  const { claims } = running.world.client;
  const { id } = await running.world.createAdjudicatedClaim();
  const asked = { reason_code: 'notes_missing', requested_evidence_types: ['notes'] };
  const question = claims.requestInformation(id, asked);
  await expect(question).rejects.toMatchObject({ code: 'invalid_state' });
  await claims.reverse(id, { reason_code: 'recorded_in_error' });
  const late = claims.adjudicate(id, running.world.adjudicationInput());
  await expect(late).rejects.toMatchObject({ code: 'invalid_state' });
  const { visitor } = await asRole('viewer');
  const { html } = await visitor.get(`${project}/claims/${id}`);
  const section = /<h2>Rejected commands<\/h2>([\s\S]*?)<h2>/.exec(html)?.[1] ?? '';
  const rows = [...section.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) => row).slice(1);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatch(/adjudicate.*invalid_state.*The claim is reversed.*key_/);
  expect(rows[1]).toMatch(/request claim information.*invalid_state.*The claim is partially_approved.*key_/);
});

test('the audit log has each sign-in, with the verified e-mail address', async () => {
  await asRole('finance');
  const entries = await running.operator<object[]>('audit', 'list', '--limit', '1000');
  expect(entries).toContainEqual(
    expect.objectContaining({
      actor: 'demo-finance',
      action: 'console.sign_in',
      subject: 'demo-finance',
      details: expect.objectContaining({ email: 'finance@carecover.example', roles: ['finance'] }),
    }),
  );
});

test('a session that was signed out is of no use', async () => {
  const { visitor, shown } = await asRole('viewer');
  const thief = visitor.withCookie('session');
  expect((await thief.get(`${project}/claims`)).url.origin).toBe(origin);
  await visitor.post('/sign-out', { csrf: visitor.tokenOf(shown) });
  expect((await thief.get(`${project}/claims`)).url.origin).not.toBe(origin);
});
