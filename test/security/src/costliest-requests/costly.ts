/** The types of the costliest requests, and values of the greatest permitted length. */
import { randomBytes } from 'node:crypto';
import type { World } from '@carecover/testing/stack';

/** A valid request. In each of its texts, the sender replaces `{unique}` by a text that no other request has. */
export interface CostlyRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The project from which the requests are sent. */
export interface CostlyProject {
  readonly world: World;
  readonly projectId: string;
  /** The address of the stack's database, as the administrator. */
  readonly databaseUrl: string;
  /** The URL of a webhook receiver that accepts connections and never responds. */
  readonly silentReceiver: string;
  /** The number of requests to create for an operation that a resource accepts only once. */
  readonly count: number;
  /** Returns the result of the first call with this name, so that operations share expensive test data. */
  shared<T>(name: string, create: () => Promise<T>): Promise<T>;
}

export interface Costliest {
  /** Prepares test data, and returns requests that are sent in turn. */
  readonly create: (project: CostlyProject) => Promise<readonly CostlyRequest[]>;
  /** How long the requests are sent before the effect is measured, in milliseconds: long enough that answers which wait accumulate. */
  readonly leadMs?: number;
  /** Whether work continues after the responses. Such an operation is tested last, so that it does not disturb the others. */
  readonly startsBackgroundWork?: true;
}

export const UNIQUE = '{unique}';

/** The {@link Costliest.leadMs} of operations whose answers wait for about five seconds or more. */
export const WAITING_LEAD_MS = 5_000;

/** Returns a text of random digits and letters, which no compression shortens much. */
export function randomText(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length);
}

/** Returns `count` different texts of the given length. */
export function randomTexts(count: number, length: number): string[] {
  return Array.from({ length: count }, () => `r${randomText(length - 1)}`);
}

/** Creates as many requests as the project needs, one after the other. */
export async function createEach(
  { count }: Pick<CostlyProject, 'count'>,
  create: () => Promise<CostlyRequest>,
): Promise<CostlyRequest[]> {
  const requests: CostlyRequest[] = [];
  for (let created = 0; created < count; created++) requests.push(await create());
  return requests;
}
