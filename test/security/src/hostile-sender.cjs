// Sends the bodies in a folder to a gateway concurrently until standard input ends, and then prints the number of each status.
const { readdirSync, readFileSync } = require('node:fs');
const { request } = require('node:http');

const { port, key, folder, atOnce } = JSON.parse(process.argv[2]);
const bodies = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`));
const statuses = {};
let sent = 0;
let isOver = false;

function send(body) {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-length': body.length,
      'content-type': 'application/json',
      'idempotency-key': `request-${process.pid}-${sent++}`,
      'x-artifact-reference': 'file-1',
      'x-forwarded-proto': 'https',
    };
    const outgoing = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v1/coverage_batches',
      headers,
    });
    const done = (status) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      resolve();
    };
    outgoing.on('response', (response) => response.resume().on('end', () => done(response.statusCode)));
    outgoing.on('error', (error) => done(error.code));
    outgoing.end(body);
  });
}

async function sender(first) {
  for (let next = first; !isOver; next++) await send(bodies[next % bodies.length]);
}

process.stdin.resume().on('end', () => {
  isOver = true;
});
process.stdout.write('sending\n');
void Promise.all(Array.from({ length: atOnce }, (_, index) => sender(index * 3))).then(() =>
  process.stdout.write(`${JSON.stringify(statuses)}\n`),
);
