/** Receives Carecover's webhooks in Koa. WEBHOOK_SECRET is the endpoint's signing secret (whsec_…). */
import { verifyWebhook, WebhookVerificationError } from '@carecover/client';
import Koa from 'koa';

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

const app = new Koa();

// Add this middleware before a body parser, which would consume the exact bytes that the signature covers.
app.use(async (context, next) => {
  if (context.method !== 'POST' || context.path !== '/hooks') return next();
  const body = await readBody(context.req);
  if (body === undefined) context.throw(413);
  try {
    enqueueEvent(await verifyWebhook(body, context.headers, WEBHOOK_SECRET));
  } catch (error) {
    if (error instanceof WebhookVerificationError) context.throw(400, error.message);
    throw error;
  }
  context.status = 204;
});

const server = app.listen(Number(PORT), () => console.log(`listening on port ${server.address().port}`));
