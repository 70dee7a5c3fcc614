/**
 * The resources: a claim, a valuation of it, a valuation run, and the documentation. A valuation at a past cutoff never changes, so clients
 * may keep it for a day. Every read is an operation of the API; only the documentation is the same for every caller. For a person who can use
 * several projects, a URI begins with the project, as `project_id` is the first argument of a tool.
 */
import { errorCodes, type OperationId } from '@carecover/contract';
import { callOperation, type OperationCaller, type ToolArguments } from './operation-call';
import { PROJECT_ID } from './projects';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A page of the documentation. */
export interface DocumentationPage {
  /** The path below the documentation's root without an extension, such as `guides/errors`. */
  readonly path: string;
  readonly title: string;
  /** The page in Markdown. */
  readonly text: string;
}

/** What is read, and for how long a client may keep it, in milliseconds. */
interface Read {
  readonly mimeType: string;
  readonly text: string;
  readonly ttlMs: number;
  readonly cacheScope: 'private' | 'public';
}

interface ResourceTemplate {
  readonly name: string;
  /** The template below the root of the caller's resources. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly operation: OperationId;
  /** Returns how long clients may keep what was read. */
  readonly ttlMs: (found: Readonly<Record<string, unknown>>, nowMs: number) => number;
}

const resourceTemplates: readonly ResourceTemplate[] = [
  {
    name: 'claim',
    path: 'claims/{claim_id}',
    title: 'A claim as it is now',
    description: 'The claim with its lines, questions, adjudication and amounts in minor units.',
    operation: 'getClaim',
    ttlMs: () => 0,
  },
  {
    name: 'claim_valuation',
    path: 'claims/{claim_id}/valuations/{valuation_at}',
    title: 'A claim as it was known at a cutoff',
    description:
      'Status, amounts and facts that were known at the cutoff (RFC 3339 in UTC, such as 2025-03-31T23:59:59.999Z). It never changes for a past cutoff.',
    operation: 'getClaimValuation',
    ttlMs: ({ valuation_at: at }, nowMs) => (Date.parse(String(at)) < nowMs ? DAY_MS : 0),
  },
  {
    name: 'valuation_run',
    path: 'valuation_runs/{valuation_run_id}',
    title: 'A valuation of all claims',
    description:
      'A valuation run with its totals, groups or triangle, at most 100 kB. It never changes when it is ready.',
    operation: 'getValuationRun',
    ttlMs: ({ status }) => (status === 'ready' ? DAY_MS : 0),
  },
];

const VARIABLE = /\\\{(\w+)\\\}/g;

/** Where the resources of a project begin: of the project of a key, and of one of those that a person can use. */
const ROOTS = { key: 'carecover://', person: `carecover://projects/{${PROJECT_ID}}/` } as const;
type Root = keyof typeof ROOTS;

function patternsBelow(root: Root) {
  return resourceTemplates.map((template) => {
    const escaped = (ROOTS[root] + template.path).replace(/[{}./]/g, '\\$&');
    return { template, pattern: new RegExp(`^${escaped.replace(VARIABLE, '(?<$1>[^/?#]+)')}$`) };
  });
}

const patterns = { key: patternsBelow('key'), person: patternsBelow('person') };

/** A resource that a URI names. */
export interface FoundResource {
  readonly template: ResourceTemplate;
  readonly given: ToolArguments;
}

/** Decodes a part of a URI; null if it is not well encoded. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Returns the template to which the URI belongs with its variables; undefined if there is none. @param root whose URI it is */
export function findTemplate(uri: string, root: Root): FoundResource | undefined {
  for (const { template, pattern } of patterns[root]) {
    const { groups } = pattern.exec(uri) ?? {};
    if (groups === undefined) continue;
    const given = Object.entries(groups).map(([name, text]) => [name, decode(text)] as const);
    return given.some(([, value]) => value === null)
      ? undefined
      : { template, given: Object.fromEntries(given) };
  }
  return undefined;
}

/** Returns the templates whose operation is permitted, as entries of a response. */
export function listedTemplates(root: Root, permits: (operation: OperationId) => boolean) {
  return resourceTemplates
    .filter(({ operation }) => permits(operation))
    .map(({ name, path, title, description }) => ({
      name,
      uriTemplate: ROOTS[root] + path,
      title,
      description,
      mimeType: 'application/json',
    }));
}

/** Reads a resource of a template, whole. @throws ToolError */
export async function readTemplate(
  caller: OperationCaller,
  { template, given }: FoundResource,
): Promise<Read> {
  const found = await callOperation(caller, template.operation, given);
  const ttlMs = template.ttlMs(found, Date.now());
  return { mimeType: 'application/json', text: JSON.stringify(found), ttlMs, cacheScope: 'private' };
}

function errorTable(): DocumentationPage {
  const rows = Object.entries(errorCodes).map(
    ([code, { status, explanation, action, retry }]) =>
      `## ${code}\n\nHTTP ${status}. ${explanation}\n\n${action}${retry ? ' A retry can succeed.' : ''}`,
  );
  return { path: 'errors', title: 'Error codes', text: `# Error codes\n\n${rows.join('\n\n')}\n` };
}

/** The documentation as resources: the error codes, and the pages that were given. */
export class Documentation {
  private readonly pages: ReadonlyMap<string, DocumentationPage>;

  constructor(pages: readonly DocumentationPage[]) {
    this.pages = new Map([errorTable(), ...pages].map((page) => [`carecover://docs/${page.path}`, page]));
  }

  /** Returns the pages as entries of a resources/list response. */
  list() {
    return [...this.pages].map(([uri, { path, title }]) => ({
      uri,
      name: path,
      title,
      mimeType: 'text/markdown',
    }));
  }

  /** Reads a page; undefined if there is none with this URI. */
  read(uri: string): Read | undefined {
    const page = this.pages.get(uri);
    return page && { mimeType: 'text/markdown', text: page.text, ttlMs: HOUR_MS, cacheScope: 'public' };
  }
}
