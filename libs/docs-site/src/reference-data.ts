/** What the page of the reference shows beside the API description: a sample of each operation in each language, and words to find it. */
import { operationList } from '@carecover/contract';
import { openApiDocument } from '@carecover/contract/openapi';
import { type RenderedExample, renderExample } from './examples';

export interface OperationSamples extends Omit<RenderedExample, 'heading'> {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  /** Further words by which a reader finds the operation. Its name and path do not contain them. */
  readonly words: readonly string[];
}

/** Words of other APIs of the field, and the operations that a reader looks for by them. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  refund: ['createPaymentAdvice', 'reverseSettlement', 'reverseClaim'],
  payout: ['createRemittance', 'createSettlement', 'listSettlements'],
  copay: ['adjudicateClaim', 'getClaimValuation'],
  invoice: ['createClaim'],
  appointment: ['createBooking', 'createSession'],
};

/** Returns the words by which a reader finds an operation. */
function wordsOf(id: string): string[] {
  const words = Object.keys(WORDS).filter((word) => WORDS[word]?.includes(id));
  return id.startsWith('list') ? [...words, 'pagination', 'starting_after'] : words;
}

/** Values of required query parameters without an example in the contract. */
const REQUIRED: Readonly<Record<string, unknown>> = { duration_minutes: 50, format: 'online' };

interface Described {
  readonly parameters?: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
    readonly schema?: { readonly examples?: readonly unknown[] };
  }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly example?: object; readonly examples?: Record<string, { value: object }> }>
    >;
  };
}

/** Returns the input of an operation's sample: the example of its body, or its required query parameters and the size of a page. */
function exampleInput({ parameters = [], requestBody }: Described): object | undefined {
  const media = requestBody?.content['application/json'];
  if (media !== undefined) return media.example ?? Object.values(media.examples ?? {})[0]?.value;
  const query = parameters
    .filter((each) => each.in === 'query' && (each.required === true || each.name === 'limit'))
    .map(({ name = '', schema }) => [
      name,
      name === 'limit' ? 20 : (schema?.examples?.[0] ?? REQUIRED[name]),
    ]);
  return query.length === 0 ? undefined : Object.fromEntries(query);
}

/** Returns whether the clients send an operation's input as one JSON body or as a query: not a file, and not a header of its own. */
function hasSample({ parameters = [], requestBody }: Described): boolean {
  const isJson = requestBody === undefined || requestBody.content['application/json'] !== undefined;
  return isJson && !parameters.some(({ name }) => name === 'X-Artifact-Reference');
}

/** Returns the samples of every operation with a JSON body or none, by method and path, such as `POST /claims`. */
export function referenceSamples(): Readonly<Record<string, OperationSamples>> {
  const { paths } = openApiDocument({ serverUrl: '/v1' });
  return Object.fromEntries(
    operationList.flatMap(({ id, tag, summary, method, path }) => {
      const described = paths[path]?.[method.toLowerCase()] as Described;
      if (!hasSample(described)) return [];
      const words = wordsOf(id);
      const { heading: _heading, ...samples } = renderExample(id, exampleInput(described));
      return [[`${method} ${path}`, { id, tag, summary, words, ...samples }]];
    }),
  );
}

/** Returns the operations as headings with links, for the index of the search. The page itself gets them in the browser. */
export function searchableOperations(): string {
  return operationList
    .map(({ id, tag, summary, method, path }) => {
      const words = wordsOf(id);
      const link = `/${encodeURIComponent(tag)}/${id}`;
      return `<h2>${summary} <a class="header-anchor" href="#${link}">#</a></h2>\n<p>${method} ${path} ${id} ${words.join(' ')}</p>`;
    })
    .join('\n');
}
