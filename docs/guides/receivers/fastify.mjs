/** Receives Carecover's webhooks in Fastify. WEBHOOK_SECRET is the endpoint's signing secret (whsec_…). */
import { verifyWebhook, WebhookVerificationError } from '@carecover/client';
import Fastify from 'fastify';

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

const app = Fastify({ bodyLimit: MAX_BODY_BYTES });

// In this plugin, Fastify does not parse request bodies, because the signature covers the exact bytes. Other routes of your application
// still parse JSON.
app.register(async (hooks) => {
  hooks.removeAllContentTypeParsers();
  hooks.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request, body) => body);
  hooks.post('/hooks', async (request, reply) => {
    const event = await verifyWebhook(request.body ?? '', request.headers, WEBHOOK_SECRET);
    enqueueEvent(event);
    return reply.code(204).send();
  });
});

app.setErrorHandler((error, _request, reply) => {
  if (error instanceof WebhookVerificationError) reply.code(400);
  else if (error.statusCode === undefined) console.error(error);
  reply.send(error);
});

await app.listen({ port: Number(PORT), host: '0.0.0.0' });
console.log(`listening on port ${app.server.address().port}`);
