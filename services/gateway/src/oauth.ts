/**
 * The OAuth 2.0 token endpoint of machines (RFC 6749, 4.4: client credentials): the client secret is a secret key, and the access token is a
 * token of POST /tokens. So clients of the MCP endpoint that speak only OAuth can use a key, and hold the key only where they ask for tokens.
 *
 * Failure policy: as POST /tokens. Errors have the form of RFC 6749, 5.2.
 */
import {
  BASE_PATH,
  isGrantedScope,
  isSubset,
  operations,
  scopes,
  type Token,
  validateBody,
} from '@carecover/contract';
import { ApiError } from '@carecover/domain';
import { requireMethod } from '@carecover/http';
import type { Sql } from '@carecover/postgres';
import type { Next } from 'koa';
import { isPreflight } from './cross-origin';
import { createToken } from './own-operations';
import { checkPermission } from './permission';
import { extractCredential, type PresentedCredential } from './presented-credential';
import type { ProjectCapacity } from './project-capacity';
import { FORM_BODY, readBody } from './request-body';
import type { RequestChecks } from './request-check';
import { admissionOf, type GatewayContext } from './request-state';
import { JSON_CONTENT } from './response-envelope';
import type { Admission } from './store/admissions';

const TOKEN_PATH = `${BASE_PATH}/oauth/token`;
const METADATA_PATH = '/.well-known/oauth-authorization-server';
const FORM_BYTES = 8 * 1024;
/** How long a token is valid, in seconds: the longest of POST /tokens. */
const LIFETIME_SECONDS = 3_600;
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;
/** Who uses the memory budget before the credential is checked. */
const NO_PROJECT = 'oauth without a credential';

/** The errors of RFC 6749, 5.2, by the codes of the API. */
const ERRORS: Readonly<Record<string, string>> = {
  api_key_missing: 'invalid_client',
  api_key_invalid: 'invalid_client',
  permission_denied: 'unauthorized_client',
  internal_error: 'server_error',
  service_unavailable: 'temporarily_unavailable',
  rate_limited: 'temporarily_unavailable',
};

/** Sends the metadata of the authorization server (RFC 8414). */
export async function describeAuthorizationServer(ctx: GatewayContext, next: Next): Promise<void> {
  if (ctx.path !== METADATA_PATH || ctx.method !== 'GET') return next();
  const { origin } = ctx.state;
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.type = JSON_CONTENT;
  ctx.body = JSON.stringify({
    issuer: origin,
    // No grant uses it, but the TypeScript client rejects metadata without it. A person who is sent there finds how to connect an agent.
    authorization_endpoint: `${origin}/docs/agents`,
    token_endpoint: origin + TOKEN_PATH,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    scopes_supported: scopes,
    service_documentation: `${origin}/docs/agents`,
  });
}

/** Returns the parameters of a form. @throws ApiError validation_failed for one that is given twice (RFC 6749, 3.2) */
function parseForm(text: string): ReadonlyMap<string, string> {
  const given = [...new URLSearchParams(text)];
  const form = new Map(given);
  if (form.size < given.length) throw new ApiError('validation_failed', 'A parameter is given twice.');
  return form;
}

/** Decodes a part of Basic, which RFC 6749, 2.3.1 encodes as a form. */
function decodeForm(text: string): string {
  return new URLSearchParams(`value=${text.replaceAll('&', '%26')}`).get('value') ?? '';
}

/** Returns the client secret: of the form, or of Basic with the client's ID as the user name; otherwise the credential of the API. */
function clientSecret(ctx: GatewayContext, form: ReadonlyMap<string, string>): PresentedCredential {
  const { headersDistinct } = ctx.req;
  const { authorization } = headersDistinct;
  const posted = form.get('client_secret');
  if (posted !== undefined) return authorization === undefined ? { text: posted } : 'invalid';
  const encoded = BASIC.exec(authorization?.[0] ?? '')?.[1];
  const [, password = ''] = /:(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('latin1')) ?? [];
  return password === '' || authorization?.length !== 1
    ? extractCredential(headersDistinct)
    : { text: decodeForm(password) };
}

function requireGrant(form: ReadonlyMap<string, string>, origin: string): string | null {
  if (form.get('grant_type') !== 'client_credentials') return 'unsupported_grant_type';
  const resource = form.get('resource') ?? origin;
  return resource === origin || resource.startsWith(`${origin}/`) ? null : 'invalid_target';
}

function reject(ctx: GatewayContext, error: string, description: string): void {
  ctx.status = 400;
  ctx.type = JSON_CONTENT;
  ctx.body = JSON.stringify({ error, error_description: description });
}

/**
 * Returns the requested scopes that the key has. The others are left out, as RFC 6749, 3.3 permits, because clients request all scopes that
 * the metadata of a resource names; the response says which were granted.
 */
function grantedScopes(form: ReadonlyMap<string, string>, { scopes: ofKey }: Admission): string[] {
  const requested = form.get('scope')?.split(' ').filter(isGrantedScope);
  return requested?.filter((scope) => isSubset([scope], ofKey)) ?? [...ofKey];
}

function send(ctx: GatewayContext, { token, scopes: granted }: Token): void {
  ctx.status = 200;
  ctx.type = JSON_CONTENT;
  ctx.body = JSON.stringify({
    access_token: token,
    token_type: 'Bearer',
    expires_in: LIFETIME_SECONDS,
    scope: granted.join(' '),
  });
}

export interface TokenEndpointOptions {
  readonly sql: Sql;
  readonly checks: RequestChecks;
  readonly capacity: ProjectCapacity;
}

/** Creates the two middleware functions of the token endpoint. Requests to other paths pass through them. */
export function createTokenEndpoint({ sql, checks, capacity }: TokenEndpointOptions) {
  const forms = new WeakMap<object, ReadonlyMap<string, string>>();
  return {
    /** Reads the form, before the credential in it is checked. */
    present: async (ctx: GatewayContext, next: Next): Promise<void> => {
      if (ctx.path !== TOKEN_PATH || isPreflight(ctx)) return next();
      ctx.state.operation = operations.createToken;
      ctx.state.formatError = ({ error: { code, message } }) => ({
        error: ERRORS[code] ?? 'invalid_request',
        error_description: message,
      });
      requireMethod(ctx, 'POST');
      const hold = checks.startHold(NO_PROJECT);
      try {
        const bytes = await readBody(ctx.req, FORM_BYTES, hold, FORM_BODY);
        const form = parseForm(bytes?.toString('utf8') ?? '');
        forms.set(ctx.req, form);
        ctx.state.presented = clientSecret(ctx, form);
        await next();
      } finally {
        hold.release();
      }
    },

    /** Creates the token for an admitted request. */
    grant: async (ctx: GatewayContext, next: Next): Promise<void> => {
      const form = forms.get(ctx.req);
      if (form === undefined) return next();
      const admission = admissionOf(ctx);
      checkPermission(operations.createToken, admission);
      const rejected = requireGrant(form, ctx.state.origin);
      if (rejected !== null) {
        reject(ctx, rejected, 'grant_type must be client_credentials, and resource a URL of this API.');
        return;
      }
      const input = validateBody('createToken', {
        scopes: grantedScopes(form, admission),
        expires_in: LIFETIME_SECONDS,
      });
      const token = input.ok
        ? await capacity.run(admission, operations.createToken, ctx.res, () =>
            createToken(sql, admission, input.value),
          )
        : null;
      if (token === null)
        reject(ctx, 'invalid_scope', 'scope must name scopes of the key, separated by spaces.');
      else send(ctx, token);
    },
  };
}
