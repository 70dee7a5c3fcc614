/**
 * Names that people expect from clients of other APIs. Reading one throws an error that names the method of this client, in place of
 * "is not a function". TypeScript rejects them when it compiles, because no type has them.
 */

/** The methods of a group for what a name means, the first of which that the group has is the one. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  add: ['create', 'submit', 'record'],
  all: ['list'],
  approve: ['decide', 'adjudicate'],
  book: ['create'],
  create: ['submit', 'record'],
  decide: ['adjudicate'],
  delete: ['disable', 'cancel'],
  deny: ['decide', 'adjudicate'],
  fetch: ['retrieve'],
  find: ['retrieve', 'list'],
  get: ['retrieve'],
  query: ['list'],
  read: ['retrieve'],
  record: ['create'],
  remove: ['disable', 'cancel'],
  search: ['list'],
  submit: ['create'],
  value: ['valuation'],
};

/** What a name of a group or a method of the client itself means. */
const CLIENT: Readonly<Record<string, string>> = {
  availability: 'carecover.practitioners.availability',
  authorizations: 'carecover.preauthorizations',
  constructEvent: 'the function verifyWebhook of the package',
  eligibility: 'carecover.eligibilityChecks',
  payments: 'carecover.settlements',
  slots: 'carecover.practitioners.slots',
  valuations: 'carecover.claims.valuation or carecover.valuationRuns',
  verifyWebhook: 'the function verifyWebhook of the package',
  webhooks: 'carecover.webhookEndpoints, or the function verifyWebhook of the package',
};

function explain(target: object, owner: string, name: string, meant: string): void {
  Object.defineProperty(target, name, {
    // A property that is not enumerable is neither printed nor copied.
    enumerable: false,
    get() {
      throw new TypeError(`${owner} has no ${name}: use ${meant}`);
    },
  });
}

/** Makes the names that people guess in a group throw an error that names the method. */
function explainMethods(group: string, methods: object): void {
  for (const [name, meant] of Object.entries(METHODS)) {
    const method = meant.find((each) => each in methods);
    if (method !== undefined && !(name in methods))
      explain(methods, `carecover.${group}`, name, `carecover.${group}.${method}`);
  }
}

/** Makes the names that people guess in the client and in its groups throw an error that names the method, the group or the function. */
export function explainGuesses(client: object, groups: Readonly<Record<string, object>>): void {
  for (const [group, methods] of Object.entries(groups)) explainMethods(group, methods);
  for (const [name, meant] of Object.entries(CLIENT)) explain(client, 'carecover', name, meant);
}
