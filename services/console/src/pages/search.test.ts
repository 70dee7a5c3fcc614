/** Tests that the search finds what the available services have. */
import { ConsoleFixture } from '../testing/console-fixture';
import { exampleOf, UNAVAILABLE, Visitor } from '../testing/visitor';

const CLAIM = `clm_${'1'.repeat(32)}`;
const INCOMPLETE = 'A service is not available now, so something can be missing.';

let fixture: ConsoleFixture;
let visitor: Visitor;
beforeEach(async () => {
  fixture = await ConsoleFixture.start();
  visitor = await Visitor.signIn(fixture);
  fixture.responses.set('/operator/search', [200, { data: [] }]);
});
afterEach(() => fixture.stop());

test('an ID whose service is unavailable is a partial result, and an unknown one is not', async () => {
  const find = () => visitor.read(`/projects/prj_1/search?q=${CLAIM}`);
  fixture.responses.set(`/v1/claims/${CLAIM}`, UNAVAILABLE);
  const partial = await find();
  expect([partial.status, partial.html]).toEqual([200, expect.stringContaining(INCOMPLETE)]);
  fixture.responses.delete(`/v1/claims/${CLAIM}`);
  expect((await find()).html).not.toContain(INCOMPLETE);
  fixture.responses.set(`/v1/claims/${CLAIM}`, [200, { ...exampleOf('getClaim'), id: CLAIM }]);
  const found = await find();
  expect(found.html).toContain('1 found.');
  expect(found.html).not.toContain(INCOMPLETE);
});
