/**
 * The metadata of the MCP endpoint as an OAuth 2.0 protected resource (RFC 9728), and what its 401 and 403 responses say about it. Clients
 * read it before they have a credential. It is outside the base path, because RFC 9728 puts it in front of the path of the resource.
 */
import { scopes as allScopes, alternativesOf, BASE_PATH, type RequiredScope } from '@carecover/contract';
import type { Next } from 'koa';
import type { GatewayContext } from './request-state';
import { JSON_CONTENT } from './response-envelope';

export const MCP_PATH = `${BASE_PATH}/mcp`;

const METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;

/** Creates the middleware that sends the metadata. */
export function describeMcpResource() {
  return async (ctx: GatewayContext, next: Next): Promise<void> => {
    if (ctx.path !== METADATA_PATH || ctx.method !== 'GET') return next();
    const { origin } = ctx.state;
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.type = JSON_CONTENT;
    ctx.body = JSON.stringify({
      resource: origin + MCP_PATH,
      resource_name: 'Carecover',
      authorization_servers: [origin],
      resource_documentation: `${origin}/docs/agents`,
      bearer_methods_supported: ['header'],
      scopes_supported: allScopes,
    });
  };
}

/** Completes the WWW-Authenticate header of a 401 response, or writes it for a scope that is missing. */
export function challenge(ctx: GatewayContext, error: string, required: readonly RequiredScope[]): void {
  const metadata = `resource_metadata="${ctx.state.origin}${METADATA_PATH}"`;
  const scopes = required.flatMap(alternativesOf);
  const scope = scopes.length === 0 ? '' : `, scope="${scopes.join(' ')}"`;
  ctx.set('WWW-Authenticate', `Bearer realm="carecover", error="${error}", ${metadata}${scope}`);
}
