#!/usr/bin/env bash
# An authorization server that offers client credentials alone has no authorization endpoint, and RFC 8414 (section 2) lets it leave the field
# out of its metadata. @modelcontextprotocol/client 2.4.0 rejects such metadata, also for its own provider of client credentials, which never uses
# that endpoint. With any URL in the field, the same metadata is accepted and a token is requested.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

npm install --silent --no-save --ignore-scripts --prefix "$folder" @modelcontextprotocol/client@2.4.0
cat > metadata.mjs <<'JAVASCRIPT'
import { createServer } from 'node:http';
import { auth, ClientCredentialsProvider } from '@modelcontextprotocol/client';

async function tokenWith(extra) {
  const requests = [];
  const server = createServer((request, response) => {
    const origin = `http://127.0.0.1:${server.address().port}`;
    requests.push(`${request.method} ${request.url}`);
    const bodies = {
      '/.well-known/oauth-protected-resource/mcp': { resource: `${origin}/mcp`, authorization_servers: [origin] },
      '/.well-known/oauth-authorization-server': {
        issuer: origin,
        token_endpoint: `${origin}/token`,
        grant_types_supported: ['client_credentials'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
        response_types_supported: [],
        ...(extra ? { authorization_endpoint: `${origin}/unused` } : {}),
      },
      '/token': { access_token: 'token', token_type: 'Bearer', expires_in: 60 },
    };
    const body = bodies[request.url];
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider = new ClientCredentialsProvider({ clientId: 'id', clientSecret: 'secret' });
  const result = await auth(provider, { serverUrl: `http://127.0.0.1:${server.address().port}/mcp` }).then(
    (outcome) => outcome,
    (error) => `throws ${error.name}: ${error.message.replace(/\s+/g, ' ').slice(0, 160)}`,
  );
  server.close();
  server.closeAllConnections();
  return `${result}; token requested: ${requests.includes('POST /token')}`;
}

console.log(`without authorization_endpoint: ${await tokenWith(false)}`);
console.log(`with authorization_endpoint:    ${await tokenWith(true)}`);
JAVASCRIPT
node metadata.mjs | tee output.txt

grep -q '^without authorization_endpoint: throws .*authorization_endpoint.*token requested: false$' output.txt
grep -q '^with authorization_endpoint:    AUTHORIZED; token requested: true$' output.txt
echo 'as described'
