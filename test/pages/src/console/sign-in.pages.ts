import { ConsoleVisitor, during, type Role } from './console-visitor';

let visitor: ConsoleVisitor;
beforeAll(async () => {
  visitor = await ConsoleVisitor.start();
});
afterAll(() => visitor?.stop());

const ROLES: readonly Role[] = ['viewer', 'operator', 'finance', 'administrator'];

test.each(ROLES)('a person with the role %s signs in, and arrives at the page of the link', (role) =>
  during(visitor.visit(visitor.inProject('/claims?status=queried'), role), async ({ page, troubles }) => {
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
      visitor.inProject('/claims?status=queried'),
    );
    await expect(page.locator('form.person').innerText()).resolves.toContain(
      `demo-${role} (${role}@carecover.example)`,
    );
    expect(troubles).toEqual([]);
  }),
);

test('the session cookie is HttpOnly and SameSite, and a signed-out session is of no use', () =>
  during(visitor.visit('/', 'viewer'), async ({ page }) => {
    const cookies = await page.context().cookies(visitor.origin);
    const session = cookies.filter(({ name }) => name === 'session');
    expect(session).toMatchObject([{ httpOnly: true, sameSite: 'Lax' }]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${visitor.origin}/signed-out**`);
    await page.context().addCookies(session);
    await page.goto(visitor.origin);
    expect(new URL(page.url()).origin).not.toBe(visitor.origin);
  }));

test('a link does not lead to another site after the sign-in', () =>
  during(visitor.visit('/sign-in?next=//example.com/', 'viewer'), async ({ page }) => {
    expect(page.url()).toBe(`${visitor.origin}/`);
  }));

test('a form without the token of its session is rejected', () =>
  during(visitor.visit('/', 'viewer'), async ({ page }) => {
    const answer = await page.request.post(`${visitor.origin}/sign-out`, { form: { csrf: 'x'.repeat(43) } });
    expect(answer.status()).toBe(403);
    await page.reload();
    await expect(page.locator('h1').innerText()).resolves.toBe('Projects');
  }));

test('an unknown project, a malformed one and an unknown page look the same, and no internals are shown', () =>
  during(visitor.visit('/', 'viewer'), async ({ page }) => {
    const bodies: string[] = [];
    for (const path of [
      '/projects/prj_unknown/claims',
      '/projects/%00/claims',
      visitor.inProject('/nothing'),
    ]) {
      const response = await page.goto(visitor.origin + path);
      expect(response?.status()).toBe(404);
      bodies.push(await page.locator('main').innerText());
    }
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).not.toMatch(/ at |\.ts|select /);
  }));

test('the policy of every page allows no inline script and no other origin', () =>
  during(visitor.visit('/', 'viewer'), async ({ page }) => {
    const response = await page.reload();
    const policy = response?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
  }));

test('pages work without JavaScript', () =>
  during(visitor.visit(visitor.inProject('/claims'), 'viewer', undefined, false), async ({ page }) => {
    await expect(page.locator('h1').innerText()).resolves.toBe('Claims');
  }));
