/**
 * Every list of the contract with every value of every filter reads few pages of the database: the first page, pages created before or after
 * an instant, and the page after a cursor near the oldest row, in a large project and in one in which a status of most rows is rare. A new
 * list or filter fails here until `list-rows.ts` has rows or values for it.
 */
import { type OperationId, operationList, operations } from '@carecover/contract';
import { createTestDatabase, type TestDatabase } from '@carecover/testing/servers';
import { insertListRows, LIST_ROWS, OTHER_PROJECT, oldIds, PROJECT } from './list-rows';
import { Plans } from './plans';

/** The number of rows per list. A read of all rows discards thousands of them. */
const ROWS = 20_000;
const PROJECTS = [PROJECT, OTHER_PROJECT];
const SERVICES = ['care', 'benefits', 'claims', 'payments', 'webhooks'] as const;
const DAY_MS = 86_400_000;
/** Returns the instant that is the given number of days ago. The rows were created in the last 700 days. */
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** The maximum costs of the statements of a page of 20 items. */
const MOST = { pages: 120, discarded: 100 };
/**
 * The maximum costs if a filter is by a time that is not the order of the list, or by a status that follows from such a time. Such a page is
 * read in two steps: up to 100 rows in the order of the filter, then the list among the rows that were created near the time.
 */
const MOST_IN_TWO_STEPS = { pages: 500, discarded: 500 };
const IN_TWO_STEPS = ['starts_after', 'starts_before', 'due_before'];

type Query = Readonly<Record<string, string>>;
interface Case {
  readonly operation: OperationId;
  readonly project: string;
  readonly params: Query;
  readonly query: Query;
}

let database: TestDatabase;
const plans = new Map<string, Plans>();
let cursors: Awaited<ReturnType<typeof oldIds>>;

beforeAll(async () => {
  database = await createTestDatabase({ services: SERVICES });
  await insertListRows(database.adminUrl, ROWS);
  cursors = await oldIds(database.adminUrl);
  for (const project of PROJECTS)
    plans.set(project, new Plans((service) => database.url(service as (typeof SERVICES)[number]), project));
});
afterAll(async () => {
  for (const each of plans.values()) await each.close();
  await database?.drop();
});

function plansOf(project: string): Plans {
  const found = plans.get(project);
  if (found === undefined) throw new Error(`there are no plans for ${project}`);
  return found;
}

const propertiesOf = (operation: OperationId) =>
  (operations[operation].query as { properties: Record<string, { enum?: readonly string[] }> }).properties;

/** Returns a query per value of each filter, and one without a filter. */
function filtersOf(operation: OperationId, known: Readonly<Record<string, readonly string[]>>): Query[] {
  const filters = Object.entries(propertiesOf(operation)).filter(
    ([name]) => !['limit', 'starting_after', 'created_after', 'created_before', 'order'].includes(name),
  );
  return [
    {},
    ...filters.flatMap(([name, property]) => {
      const values = property.enum ?? known[name];
      if (values === undefined)
        throw new Error(`list-rows.ts has no value of the filter ${name} of ${operation}`);
      return values.map((value) => ({ [name]: value }));
    }),
  ];
}

const idsOf = (lists: object) => Object.keys(lists) as OperationId[];

const cases = LIST_ROWS.flatMap(({ lists, values, params = () => ({}) }) =>
  idsOf(lists).flatMap((operation) =>
    filtersOf(operation, values).flatMap((query) =>
      PROJECTS.map((project): [string, Case] => [
        `${operation} ${JSON.stringify(query).replaceAll(/T[^"]*/g, '')} in ${project}`,
        { operation, project, params: params(project), query },
      ]),
    ),
  ),
);

/** Limits of the creation time: near the oldest rows, near the newest, and in the middle. */
const TIMES: readonly Query[] = [
  { created_before: ago(690) },
  { created_after: ago(0.1) },
  { created_after: ago(400), created_before: ago(300) },
];

test('every list of the contract is tested', () => {
  const lists = operationList.filter(
    ({ query }) => 'starting_after' in ((query as { properties?: object }).properties ?? {}),
  );
  const tested = LIST_ROWS.flatMap(({ lists: ofTable }) => idsOf(ofTable));
  // The claims of a valuation run are read in the order of the list of claims, without a filter.
  expect(
    lists
      .map(({ id }) => id)
      .filter((id) => id !== 'listValuationRunClaims')
      .sort(),
  ).toEqual(tested.sort());
});

async function expectFewPages({ operation, project, params, query }: Case): Promise<void> {
  const { pages, discarded } = await plansOf(project).costOf({
    operation: operations[operation],
    params,
    query,
  });
  const isInTwoSteps =
    IN_TWO_STEPS.some((name) => name in query) || (operation === 'listSessions' && 'status' in query);
  const most = isInTwoSteps ? MOST_IN_TWO_STEPS : MOST;
  const isFew = pages <= most.pages && discarded <= most.discarded;
  expect({ operation, project, query, pages, discarded, isFew }).toMatchObject({ isFew: true });
}

/** A page of delivered sessions reads past all cancelled ones, which are almost all rows of the other project. */
const isUnbounded = ({ operation, project, query }: Case) =>
  operation === 'listSessions' && query.status === 'delivered' && project === OTHER_PROJECT;

test.each(cases.filter(([, each]) => !isUnbounded(each)))(
  '%s reads few pages',
  async (_, { query, ...each }) => {
    await expectFewPages({ ...each, query });
    if (!('created_before' in propertiesOf(each.operation))) return;
    for (const time of TIMES) await expectFewPages({ ...each, query: { ...query, ...time } });
    // The same from the other end.
    for (const time of [{}, ...TIMES])
      await expectFewPages({ ...each, query: { ...query, ...time, order: 'asc' } });
  },
);

test.each(cases.filter(([, { project }]) => project === PROJECT))(
  '%s reads few pages after a cursor near the oldest row',
  async (_, { query, ...each }) => {
    await expectFewPages({ ...each, query: { ...query, starting_after: cursors[each.operation] ?? '' } });
  },
);
