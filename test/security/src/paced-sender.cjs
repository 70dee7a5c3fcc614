// Sends requests at a fixed rate, without waiting for responses. The parent process sends `{ start: requests }` and `{ stop: true }`, and
// receives `{ statuses }`, the number of responses by status, after it has stopped.
const { readFileSync } = require('node:fs');
const { randomUUID } = require('node:crypto');
const { Agent, request } = require('node:https');

const { origin, ca, key, intervalMs } = JSON.parse(process.argv[2]);
const url = new URL(origin);
const agent = new Agent({ keepAlive: true, ca: readFileSync(ca, 'utf8') });

/** Replaces the placeholders of a text. */
function fill(text, unique) {
  return text
    .replaceAll('{unique}', unique)
    .replaceAll(/\{now\+(-?[\d.]+)\}/g, (_, ms) => new Date(Date.now() + Number(ms)).toISOString());
}

function send({ method, path, headers, body }, statuses) {
  const unique = randomUUID();
  const text = body === null ? null : fill(body, unique);
  const outgoing = request({
    agent,
    host: url.hostname,
    port: url.port,
    method,
    path: encodeURI(fill(decodeURI(path), unique)),
    headers: {
      authorization: `Bearer ${key}`,
      ...(method === 'GET' ? {} : { 'idempotency-key': unique }),
      ...(text === null
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...headers,
    },
  });
  const count = (status) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  outgoing.on('response', (response) => {
    count(response.statusCode);
    response.on('error', () => undefined).resume();
  });
  outgoing.on('error', (error) => count(error.code));
  outgoing.end(text ?? undefined);
  return outgoing;
}

let stop = () => undefined;

process.on('message', (message) => {
  if (message.start === undefined) return stop();
  const statuses = {};
  const pending = new Set();
  let sent = 0;
  const timer = setInterval(() => {
    const outgoing = send(message.start[sent++ % message.start.length], statuses);
    pending.add(outgoing);
    outgoing.on('close', () => pending.delete(outgoing));
  }, intervalMs);
  stop = () => {
    clearInterval(timer);
    statuses.pending = pending.size;
    for (const outgoing of pending) outgoing.destroy();
    process.send({ statuses });
  };
});
process.on('disconnect', () => process.exit());
