/** Receives Carecover's webhooks in Express. WEBHOOK_SECRET is the endpoint's signing secret (whsec_…). */
import { verifyWebhook, WebhookVerificationError } from '@carecover/client';
import express from 'express';

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

const app = express();

// Register this route before express.json(), which would replace the exact bytes that the signature covers.
const readRawBody = express.raw({ type: () => true, limit: MAX_BODY_BYTES });
app.post('/hooks', readRawBody, async (request, response) => {
  const event = await verifyWebhook(request.body ?? '', request.headers, WEBHOOK_SECRET);
  enqueueEvent(event);
  response.status(204).end();
});

app.use((error, _request, response, _next) => {
  const status = error instanceof WebhookVerificationError ? 400 : (error.status ?? 500);
  if (status === 500) console.error(error);
  response.sendStatus(status);
});

const server = app.listen(Number(PORT), (error) => {
  if (error) throw error;
  console.log(`listening on port ${server.address().port}`);
});
