/**
 * The identity provider of a local stack: OpenID Connect for the console, with made-up people and no password. It is for a developer's
 * machine and for tests only, and listens on the loopback address.
 */
import { loadConfig, setting } from '@carecover/config';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { DEMO_PEOPLE } from './demo-people';

const { PORT, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, CONSOLE_URL } = loadConfig({
  PORT: setting.integer(1, 65_535),
  OIDC_ISSUER: setting.url('http:'),
  OIDC_CLIENT_ID: setting.string(),
  OIDC_CLIENT_SECRET: setting.secret(20),
  CONSOLE_URL: setting.url('http:'),
});

function choicePage(uid: string): string {
  const buttons = DEMO_PEOPLE.map(
    ({ role, name }) => `<p><button name="role" value="${role}">${name} (${role})</button></p>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sign in</title></head><body><main><h1>Sign in to the local console</h1><p>These people are made up.</p>
<form method="post" action="/interaction/${uid}">${buttons.join('')}</form></main></body></html>`;
}

async function start(): Promise<void> {
  // oidc-provider is imported dynamically, because it is an ES module and this file is compiled to CommonJS.
  const { Provider } = await import('oidc-provider');
  const provider = new Provider(OIDC_ISSUER, {
    clients: [
      {
        client_id: OIDC_CLIENT_ID,
        client_secret: OIDC_CLIENT_SECRET,
        redirect_uris: [new URL('/sign-in/callback', CONSOLE_URL).href],
        post_logout_redirect_uris: [new URL('/signed-out', CONSOLE_URL).href],
      },
    ],
    cookies: { keys: [OIDC_CLIENT_SECRET] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'roles'] },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        // The page on which a person confirms the sign-out. It replaces the page of oidc-provider, which loads a font from another host.
        logoutSource: async (ctx: KoaContextWithOIDC, form: string) => {
          ctx.body = `<!doctype html><html lang="en"><head><title>Sign out</title></head><body><main><h1>Sign out</h1>${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button></main></body></html>`;
        },
      },
    },
    findAccount: async (_ctx: unknown, id: string) => {
      const person = DEMO_PEOPLE.find(({ sub }) => sub === id);
      return person === undefined
        ? undefined
        : { accountId: id, claims: async () => ({ ...person, email_verified: true, roles: [person.role] }) };
    },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // No person is asked to consent to the console's access, because the console belongs to the same organization as the identity
    // provider.
    loadExistingGrant: async (ctx: KoaContextWithOIDC) => {
      const grant = new provider.Grant({
        clientId: OIDC_CLIENT_ID,
        accountId: ctx.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
    ttl: { Session: 3_600, Grant: 3_600, AccessToken: 600, IdToken: 3_600, Interaction: 600 },
  });
  provider.use(async (ctx, next) => {
    const [, uid] = /^\/interaction\/([\w-]+)$/.exec(ctx.path) ?? [];
    if (ctx.path === '/health/ready') {
      ctx.body = 'ready';
    } else if (uid === undefined) {
      await next();
    } else if (ctx.method === 'GET') {
      ctx.type = 'html';
      ctx.body = choicePage(uid);
    } else {
      const chunks: Buffer[] = [];
      for await (const chunk of ctx.req) chunks.push(chunk);
      const chosen = new URLSearchParams(Buffer.concat(chunks).toString('utf8')).get('role');
      const accountId = DEMO_PEOPLE.find(({ role }) => role === chosen)?.sub ?? '';
      await provider.interactionFinished(ctx.req, ctx.res, { login: { accountId } });
      ctx.respond = false;
    }
  });
  const server = provider.listen(PORT, '127.0.0.1');
  process.on('SIGTERM', () => server.close(() => process.exit(0)).closeAllConnections());
}

void start();
