Object.defineProperty(exports, '__esModule', { value: true });
exports.startReceiver = startReceiver;
/** A webhook receiver as an integrator would write one: verifies each signature, remembers the event, answers 204. */
const node_http_1 = require('node:http');
const promises_1 = require('node:timers/promises');
const standardwebhooks_1 = require('standardwebhooks');
async function startReceiver() {
  const events = new Map();
  let webhook = null;
  let forged = 0;
  const server = (0, node_http_1.createServer)(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    if (webhook === null) {
      response.writeHead(503).end();
      return;
    }
    try {
      const event = webhook.verify(body, request.headers);
      if (!events.has(event.id)) events.set(event.id, event);
      response.writeHead(204).end();
    } catch {
      forged += 1;
      response.writeHead(400).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    events,
    forged: () => forged,
    trust(secret) {
      webhook = new standardwebhooks_1.Webhook(secret);
    },
    async waitUntil(enough, timeoutMs) {
      const deadline = Date.now() + timeoutMs;
      while (!enough([...events.values()])) {
        if (Date.now() > deadline) return false;
        await (0, promises_1.setTimeout)(25);
      }
      return true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
