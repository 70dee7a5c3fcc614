import { once } from 'node:events';
import { connect } from 'node:net';
import { startCollector } from './collector';
import { type Delivery, startReceiver } from './receivers';

/** Sends a part of a request and closes the connection, as a killed process does. Resolves when the server has also closed the connection. */
async function sendIncompleteRequest(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`POST / HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n`);
  await once(socket, 'data');
  socket.end('{ "half":');
  await once(socket.resume(), 'close');
}

const post = (url: string, body: string) => fetch(url, { method: 'POST', body });

test('an incomplete delivery is not received; the next one is', async () => {
  const received: Delivery[] = [];
  const receiver = await startReceiver((delivery) => received.push(delivery));
  try {
    await sendIncompleteRequest(receiver.url);
    expect((await post(receiver.url, 'whole')).status).toBe(204);
    expect(received.map(({ body }) => body)).toEqual(['whole']);
  } finally {
    receiver.close();
  }
});

test('incompletely sent spans are not collected; the next ones are', async () => {
  const collector = await startCollector();
  try {
    await sendIncompleteRequest(collector.url);
    const whole = '{"resourceSpans":[]}';
    expect((await post(collector.url, whole)).status).toBe(200);
    expect(collector.receivedText()).toBe(whole);
  } finally {
    collector.close();
  }
});
