/**
 * The identity provider of a local stack: OpenID Connect for the console and for agents of its people, with made-up people and no password. It
 * is for a developer's machine and for tests only, and listens on the loopback address.
 */
import { loadConfig, setting } from '@carecover/config';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { AGENT_CLIENT_ID, DEMO_PEOPLE } from './demo-people';

const { PORT, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, CONSOLE_URL } = loadConfig({
  PORT: setting.integer(1, 65_535),
  OIDC_ISSUER: setting.url('http:'),
  OIDC_CLIENT_ID: setting.string(),
  OIDC_CLIENT_SECRET: setting.secret(20),
  CONSOLE_URL: setting.url('http:'),
});

/** The console's endpoint for agents: the only audience of access tokens that are JWTs. */
const MCP_URL = new URL('/mcp', CONSOLE_URL).href;
const SCOPES = 'openid profile email';

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
  const { Provider, errors, interactionPolicy } = await import('oidc-provider');
  const policy = interactionPolicy.base();
  // By default each sign-in of a native client asks for consent.
  policy.get('consent')?.checks.remove('native_client_prompt');
  const provider = new Provider(OIDC_ISSUER, {
    clients: [
      {
        client_id: OIDC_CLIENT_ID,
        client_secret: OIDC_CLIENT_SECRET,
        redirect_uris: [new URL('/sign-in/callback', CONSOLE_URL).href],
        post_logout_redirect_uris: [new URL('/signed-out', CONSOLE_URL).href],
      },
      {
        // An agent on the person's machine: a public client (RFC 8252), which has no secret and any port of the loopback address.
        client_id: AGENT_CLIENT_ID,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      },
    ],
    cookies: { keys: [OIDC_CLIENT_SECRET] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'roles'] },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async (_ctx: unknown, resource: string) => {
          if (resource !== MCP_URL) throw new errors.InvalidTarget();
          return { scope: '', audience: resource, accessTokenFormat: 'jwt' as const };
        },
      },
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
    extraTokenClaims: (_ctx: unknown, token: object) => {
      const person = DEMO_PEOPLE.find(({ sub }) => 'accountId' in token && sub === token.accountId);
      return person && { roles: [person.role] };
    },
    interactions: { policy, url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // No person is asked to consent: the console belongs to the same organization as the identity provider, and the people are made up.
    loadExistingGrant: async (ctx: KoaContextWithOIDC) => {
      const grant = new provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? '',
        accountId: ctx.oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope(SCOPES);
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
