/** Receives Carecover's webhooks in plain Node. WEBHOOK_SECRET is the endpoint's signing secret (whsec_…). */
import { createServer } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from '@carecover/client';

const { WEBHOOK_SECRET = '', PORT = '3000' } = process.env;
if (WEBHOOK_SECRET === '') throw new Error('set WEBHOOK_SECRET to the signing secret of the endpoint');
const MAX_BODY_BYTES = 64 * 1024;

// In production, insert the event into your database here, with its ID as a unique key, and process it from there.
// A set in memory is lost at a restart, grows without limit, and is not shared between processes.
const receivedIds = new Set();

/** Schedules the processing of an event, so that the response is sent first. Ignores an event received before. */
function enqueueEvent(event) {
  if (receivedIds.has(event.id)) return;
  receivedIds.add(event.id);
  setImmediate(() => processEvent(event).catch(console.error));
}

async function processEvent(event) {
  console.log(`received ${event.type}`);
}

/** Returns the exact bytes of the request body; undefined if it has more than MAX_BODY_BYTES. Discards the bytes above that limit. */
async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined;
}

/**
 * Verifies a webhook and schedules its processing. Returns the HTTP status of the response: 204, 404 or 413.
 *
 * @throws WebhookVerificationError if the signature or the timestamp is not valid
 */
async function receiveWebhook(request) {
  if (request.method !== 'POST' || request.url !== '/hooks') return 404;
  const body = await readBody(request);
  if (body === undefined) return 413;
  enqueueEvent(await verifyWebhook(body, request.headers, WEBHOOK_SECRET));
  return 204;
}

const server = createServer(async (request, response) => {
  const status = await receiveWebhook(request).catch((error) => {
    if (error instanceof WebhookVerificationError) return 400;
    console.error(error);
    return 500;
  });
  response.writeHead(status).end();
});

server.listen(Number(PORT), () => console.log(`listening on port ${server.address().port}`));
