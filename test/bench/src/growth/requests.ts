/**
 * Creates the measured reads from the table of operations: every read, and every list with each value of each filter, alone and together
 * with a creation time near the oldest rows. A new operation or filter is included without a change here.
 */
import type { BulkJob, BulkJobId } from '@carecover/client';
import { expandPath, type Operation, operationList } from '@carecover/contract';
import { eventually } from '@carecover/testing/servers';
import { Pool } from 'undici';
import { practitionerToRead } from '../harness/bare-read';
import type { BenchStack } from '../harness/bench-stack';

type Values = Readonly<Record<string, string | number>>;

export interface ReadInput {
  readonly operation: Operation;
  readonly params: Values;
  readonly query: Values;
}

/** A read with several inputs, which select rows from the beginning, the middle and the end of the data. */
export interface Read {
  readonly name: string;
  readonly inputs: readonly ReadInput[];
}

interface Property {
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly default?: string | number;
}

const DAY_MS = 86_400_000;
/** The parameters by which every list can be filtered by creation time. They are measured by separate requests. */
const CREATION = ['created_after', 'created_before'];
/** The reference of a recorded session. Sessions do not contain theirs. */
const REFERENCE = 'growth-encounter';
const PAGE = ['limit', 'starting_after', ...CREATION];

const reads = operationList.filter(({ method, service }) => method === 'GET' && service !== 'gateway');

const propertiesOf = (schema: object): Readonly<Record<string, Property>> =>
  (schema as { properties?: Record<string, Property> }).properties ?? {};

const isList = ({ query }: Operation) => 'starting_after' in propertiesOf(query);

/** Returns the prefix in the pattern of an identifier; undefined for a property that is not an identifier. */
const prefixOf = ({ pattern }: Property) => /^\^(\w+_)\[/.exec(pattern ?? '')?.[1];

/** Returns the first string value of a property with this name in a resource and its nested objects; undefined if there is none. */
function findValue(resource: unknown, name: string): string | undefined {
  if (typeof resource !== 'object' || resource === null) return undefined;
  const own = (resource as Record<string, unknown>)[name];
  if (typeof own === 'string') return own;
  for (const each of Object.values(resource)) {
    const found = findValue(each, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function pathOf({ operation, params, query }: ReadInput): string {
  const path = `/v1${expandPath(operation.path, (name) => encodeURIComponent(params[name] ?? ''))}`;
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return search.size === 0 ? path : `${path}?${search}`;
}

/** Finds values for the parameters of reads in resources that exist in the data set. */
export class Requests {
  private readonly pool: Pool;
  /** For each of the instants, the identifiers of resources that existed at that instant: one identifier per prefix. */
  private readonly ids: Map<string, string>[];
  /** The items that list operations returned: by operation, one list per instant with items that were created before the instant. */
  private readonly items = new Map<string, unknown[][]>();

  private constructor(
    private readonly stack: BenchStack,
    private readonly instants: readonly string[],
  ) {
    const { origin, ca } = stack.https;
    this.pool = new Pool(origin, { connections: 1, connect: { ca } });
    this.ids = instants.map(() => new Map());
  }

  /**
   * Reads resources that were created before three instants: early, in the middle and at the end of the data set's period.
   *
   * @param months number of months over which the claims of the data set are distributed
   */
  static async find(stack: BenchStack, months: number): Promise<Requests> {
    // Resources that the data set lacks are created before the last instant is taken, so that lists up to that instant contain them.
    const created = await createMissing(stack);
    const ago = (share: number) => new Date(Date.now() - share * months * 30 * DAY_MS).toISOString();
    const requests = new Requests(stack, [ago(0.95), ago(0.5), ago(0)]);
    const withParent = ({ path }: Operation) => path.includes('{');
    const lists = reads.filter(isList);
    const [first, second] = [lists.filter((each) => !withParent(each)), lists.filter(withParent)];
    for (const resource of created) requests.keepIds(resource, requests.instants.length - 1);
    for (const operation of [...first, ...second]) await requests.readItems(operation);
    // A resource can contain the identifier that another read needs, such as that of a coverage in an eligibility check. The loop therefore
    // executes the reads whose identifiers are known, until every read was executed.
    let unread = reads.filter((each) => !isList(each));
    while (unread.length > 0) {
      const readable = unread.filter((each) => requests.hasParams(each));
      if (readable.length === 0) throw new Error(`no identifier is known for ${unread[0]?.path}`);
      for (const operation of readable) await requests.readResources(operation);
      unread = unread.filter((each) => !readable.includes(each));
    }
    return requests;
  }

  private hasParams({ params }: Operation): boolean {
    const prefixes = Object.values(propertiesOf(params)).map((property) => prefixOf(property) ?? '');
    return prefixes.every((prefix) => this.ids.some((each) => each.has(prefix)));
  }

  private async get(input: ReadInput): Promise<unknown> {
    const path = pathOf(input);
    const headers = { authorization: `Bearer ${this.stack.https.key}` };
    const { statusCode, body } = await this.pool.request({ method: 'GET', path, headers });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${text}`);
    return JSON.parse(text);
  }

  private keepIds(value: unknown, at: number): void {
    for (const [id, prefix = ''] of JSON.stringify(value).matchAll(/\b([a-z]+_)[0-9a-f]{32}\b/g)) {
      if (this.ids[at]?.has(prefix) === false) this.ids[at]?.set(prefix, id);
    }
  }

  private async readItems(operation: Operation): Promise<void> {
    const pages: unknown[][] = [];
    for (const [at, instant] of this.instants.entries()) {
      const hasTime = 'created_before' in propertiesOf(operation.query);
      const query = hasTime ? { created_before: instant } : {};
      const page = (await this.get({ operation, params: this.paramsOf(operation, at), query })) as {
        data: unknown[];
      };
      this.keepIds(page, at);
      pages.push(page.data);
    }
    this.items.set(operation.id, pages);
  }

  /** Reads resources that no list returns, such as a coverage, by the identifiers that other resources contain. */
  private async readResources(operation: Operation): Promise<void> {
    for (const at of this.instants.keys()) {
      this.keepIds(await this.get(this.inputOf(operation, at)), at);
    }
  }

  private idOf(prefix: string, at: number): string {
    const found = this.ids[at]?.get(prefix) ?? this.ids.map((each) => each.get(prefix)).find(Boolean);
    if (found === undefined) throw new Error(`no resource has an identifier with the prefix ${prefix}`);
    return found;
  }

  private paramsOf(operation: Operation, at: number): Values {
    const properties = Object.entries(propertiesOf(operation.params));
    return Object.fromEntries(
      properties.map(([name, property]) => [name, this.idOf(prefixOf(property) ?? '', at)]),
    );
  }

  /** Returns the input of a read: the path parameters, all required query parameters, and the defaults of the others. */
  private inputOf(operation: Operation, at: number, query: Values = {}): ReadInput {
    const { required = [] } = operation.query as { required?: string[] };
    const properties = propertiesOf(operation.query);
    const needed = required
      .filter((name) => !(name in query))
      .map((name) => [name, requiredValue(name, properties[name] ?? {})] as const);
    return {
      operation,
      params: this.paramsOf(operation, at),
      query: { ...Object.fromEntries(needed), ...query },
    };
  }

  private valuesOf(operation: Operation, name: string, property: Property): (readonly [string, string[]])[] {
    if (property.enum !== undefined)
      return property.enum.map((value) => [`${name}=${value}`, [value]] as const);
    if (property.format === 'date-time') return [[name, [...this.instants]]];
    const pages = this.items.get(operation.id) ?? [];
    const prefix = prefixOf(property);
    const ofItems = pages.flatMap((page) => findValue(page, name) ?? []);
    // Some lists have a filter by a value that their items do not contain. Identifiers of other resources are then used, or the reference.
    const references = name === 'external_reference' ? [REFERENCE] : [];
    const others = prefix === undefined ? references : this.instants.map((_, at) => this.idOf(prefix, at));
    const found = ofItems.length > 0 ? ofItems : others;
    if (found.length === 0)
      throw new Error(`${operation.id}: no listed resource has a value for the filter ${name}`);
    return [[name, found]];
  }

  /** Returns all reads. */
  all(): Read[] {
    return reads.flatMap((operation) =>
      isList(operation) ? this.listReads(operation) : [this.singleRead(operation)],
    );
  }

  private singleRead(operation: Operation): Read {
    const inputs = this.instants.map((_, at) => this.inputOf(operation, at));
    return { name: `GET ${operation.path}`, inputs };
  }

  private listReads(operation: Operation): Read[] {
    const properties = propertiesOf(operation.query);
    const read = (suffix: string, queries: readonly Values[]): Read => ({
      name: `GET ${operation.path}${suffix}`,
      inputs: queries.map((query, at) => this.inputOf(operation, at % this.instants.length, query)),
    });
    const [oldest = ''] = this.instants;
    const creation = CREATION.filter((name) => name in properties);
    const filters = Object.entries(properties)
      .filter(([name]) => !PAGE.includes(name))
      .flatMap(([name, property]) =>
        this.valuesOf(operation, name, property).map(([label, values]) => ({ name, label, values })),
      );
    const cursors = (this.items.get(operation.id) ?? []).flatMap(
      (page) => findValue(page.at(-1), 'id') ?? [],
    );
    return [
      read('', [{}]),
      read(
        '?starting_after',
        cursors.map((starting_after) => ({ starting_after })),
      ),
      ...creation.map((name) =>
        read(
          `?${name}`,
          this.instants.map((instant) => ({ [name]: instant })),
        ),
      ),
      ...filters.map(({ name, label, values }) =>
        read(
          `?${label}`,
          values.map((value) => ({ [name]: value })),
        ),
      ),
      ...filters
        .filter(() => creation.includes('created_before'))
        .map(({ name, label, values }) =>
          read(
            `?${label}&created_before`,
            values.map((value) => ({ [name]: value, created_before: oldest })),
          ),
        ),
    ];
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

/** The maximum time in milliseconds of the first valuation run of a data set, which sums up all of its months. */
const FIRST_RUN_MS = 1_800_000;

/** Creates resources of which a data set has none, and resources whose identifiers neither a list nor another resource contains. */
async function createMissing({ client, world }: BenchStack): Promise<unknown[]> {
  const member_reference = world.uniqueReference('member');
  const { id } = await client.valuationRuns.create({
    valuation_at: new Date().toISOString(),
    kind: 'totals',
  });
  const run = await eventually(
    'the valuation run is ready',
    async () => {
      const read = await client.valuationRuns.retrieve(id);
      return read.status === 'ready' && read;
    },
    FIRST_RUN_MS,
  );
  return [
    run,
    await createBulkJob(client),
    await world.createPaymentAdvice(),
    await client.sessions.record({
      practitioner_id: await practitionerToRead({ client }),
      ...world.pastTimes(),
      format: 'in_person',
      payment_source: 'self_pay',
      external_reference: REFERENCE,
    }),
    await client.consents.record({ member_reference, status: 'granted' }),
    // `recordCoverage` records the coverage and returns the body of its request, so the second request is a repetition without an effect.
    await client.coverages.record(await world.recordCoverage(member_reference)),
  ];
}

/** Creates a bulk job whose only line is rejected, so that it changes nothing but has a result, and returns it when it has ended. */
async function createBulkJob({ bulkJobs }: BenchStack['client']): Promise<BulkJob> {
  const line = {
    provider_claim_reference: 'growth-unknown',
    policy_reference: 'growth',
    policy_version: '1',
    reason_codes: ['fee_schedule'],
    approve_as_billed: true,
  };
  const file = { mediaType: 'application/x-ndjson', content: `${JSON.stringify(line)}\n` };
  const { id } = await bulkJobs.create({ kind: 'adjudications' }, file);
  return eventually('the bulk job has ended', async () => {
    const job = await bulkJobs.retrieve(id as BulkJobId);
    return job.completed_at !== null && job;
  });
}

/** Returns a value for a required parameter: its default, its first permitted value, or an instant (now; for `to`, a week from now). */
function requiredValue(name: string, property: Property & { readonly minimum?: number }): string | number {
  if (property.default !== undefined) return property.default;
  if (property.enum?.[0] !== undefined) return property.enum[0];
  if (property.format === 'date-time')
    return new Date(Date.now() + (name === 'to' ? 7 * DAY_MS : 0)).toISOString();
  if (name === 'duration_minutes') return 50;
  throw new Error(`no value is known for the required parameter ${name}`);
}
