/** Tests that an act on several deliveries says what was done of it. */
import { ConsoleFixture } from '../testing/console-fixture';
import { exampleOf, REJECTED, Visitor } from '../testing/visitor';

const ENDPOINT = `whe_${'1'.repeat(32)}`;
const PAGE = `/projects/prj_1/webhooks/${ENDPOINT}`;
const EVENTS = [1, 2, 3].map((digit) => `evt_${String(digit).repeat(32)}`);

let fixture: ConsoleFixture;
let visitor: Visitor;
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
  visitor = await Visitor.signIn(fixture);
  fixture.responses.set(`/v1/webhook_endpoints/${ENDPOINT}`, [
    200,
    { ...exampleOf('getWebhookEndpoint'), id: ENDPOINT, status: 'active' },
  ]);
  fixture.responses.set(`/v1/webhook_endpoints/${ENDPOINT}/deliveries`, [
    200,
    { object: 'list', data: [], has_more: false },
  ]);
});
afterEach(() => fixture.stop());

const redeliveries = () =>
  fixture.received.flatMap(({ method, path = '' }) =>
    method === 'POST' && path.startsWith('/v1/') ? [path] : [],
  );

/** Sends all events again. Only those of the list are accepted. */
async function redeliver(accepted: readonly string[]) {
  fixture.respond = (path) => {
    const event = EVENTS.find((each) => path.includes(each));
    if (event === undefined) return undefined;
    return accepted.includes(event) ? [200, {}] : REJECTED;
  };
  return visitor.post(`${PAGE}/redeliver`, { event: EVENTS });
}

test('failed deliveries are sent again, each once', async () => {
  expect((await redeliver(EVENTS)).status).toBe(303);
  expect(redeliveries()).toHaveLength(3);
  expect((await visitor.read(PAGE)).html).toContain('3 events are sent again now.');
});

test('a rejected one after others says what was sent and what was not', async () => {
  expect((await redeliver(EVENTS.slice(0, 1))).status).toBe(303);
  expect(redeliveries()).toHaveLength(2);
  expect((await visitor.read(PAGE)).html).toContain(
    `Only 1 of 3 events are sent again now. ${EVENTS[1]} was not confirmed: The state does not allow this. Those after it were not sent.`,
  );
});

test('of which the first is rejected changed nothing, and says so', async () => {
  const { status, html } = await redeliver([]);
  expect([status, html]).toEqual([409, expect.stringContaining('Nothing was changed')]);
});
