/** The gateway's calls of the services for the due items of a simulated project. */
import { type DueItemKind, type Environment, isErrorCode } from '@carecover/contract';
import { type Caller, newId, type Tenant, unavailable } from '@carecover/domain';
import { CONTEXT_HEADER, type ContextSigner } from '@carecover/http';
import { COST_HEADER } from '@carecover/telemetry';
import type { Upstreams } from '../forward';
import type { ProjectCapacity } from '../project-capacity';

/** The services whose due items an advance executes, in the order in which items of one instant are executed. */
export const SERVICES_WITH_DEADLINES = ['benefits', 'claims', 'payments', 'webhooks'] as const;
/** The services that publish events. */
export const SERVICES_WITH_EVENTS = ['benefits', 'claims', 'payments'] as const;
export type ServiceWithEvents = (typeof SERVICES_WITH_EVENTS)[number];
/** The services with due items. The start and the end of a session in care need no execution: its status follows from the time. */
export const SERVICES_WITH_DUE_ITEMS = ['care', ...SERVICES_WITH_DEADLINES] as const;
export type ServiceWithDueItems = (typeof SERVICES_WITH_DUE_ITEMS)[number];
/** The earliest due items of some services; null for a service without any. */
export type EarliestItems = Readonly<Partial<Record<ServiceWithDueItems, DueItem | null>>>;

export interface DueItem {
  readonly at: Date;
  readonly resource: string;
  readonly what: DueItemKind;
}

/** The due items of one service until an instant. */
export interface DueItems {
  /** The earliest one; null if there is none. */
  readonly next: DueItem | null;
  readonly count: number;
}

/** What one call of a service has executed. */
export interface Run {
  readonly completed: number;
  /** The last instant whose items are all executed; null if some of the first one are left. */
  readonly at: Date | null;
  /** The service's earliest due item after them, until the end of the advance; null if there is none. */
  readonly next: DueItem | null;
}

/** Committed events of a service, and the position after them. */
export interface SentEvents {
  readonly ids: readonly string[];
  readonly through: number;
  readonly hasMore: boolean;
}

/** What webhooks has not finished: the arrival of events, and attempts. An advance waits for them if the project has an active endpoint. */
export interface Unfinished {
  readonly hasReceivers: boolean;
  readonly unfinished: number;
  /** Whether all that is unfinished are attempts that no process has started, because others precede them. */
  readonly isQueued: boolean;
}

interface Answer {
  readonly next: (Omit<DueItem, 'at'> & { readonly at: string }) | null;
}

/** An error that ends an advance and that no repetition changes, such as an API error that an executed item caused. */
export class RejectedItem extends Error {
  override readonly name = 'RejectedItem';
}

/**
 * Calls the services on behalf of the key that asked for an advance. Each call needs a permit of the project for a long answer, and its cost is
 * charged to the project.
 */
export class DueItemCalls {
  constructor(
    private readonly upstreams: Upstreams,
    private readonly signer: ContextSigner,
    private readonly capacity: ProjectCapacity,
    private readonly environment: Environment,
  ) {}

  /** Reads the due items of a service. @param until the latest due time; null: no limit */
  async read(
    service: ServiceWithDueItems,
    tenant: Tenant,
    authority: string,
    until: Date | null,
  ): Promise<DueItems> {
    const answer = await this.post<Answer & { readonly count: number }>(
      service,
      tenant,
      authority,
      '/clock/due',
      { until },
    );
    return { next: nextIn(answer), count: answer.count };
  }

  /**
   * Executes the first due items of a service until `through`, in the order of their instants, each at its own instant, or at `now` if it is
   * overdue.
   */
  async execute(
    service: ServiceWithDueItems,
    tenant: Tenant,
    authority: string,
    times: { readonly now: Date; readonly through: Date; readonly until: Date },
  ): Promise<Run> {
    const answer = await this.post<Answer & { readonly completed: number; readonly at: string | null }>(
      service,
      tenant,
      authority,
      '/clock/execute',
      times,
    );
    const at = answer.at === null ? null : new Date(answer.at);
    return { completed: answer.completed, at, next: nextIn(answer) };
  }

  /** Reads the first events of a service after a position that webhooks may not have stored. */
  events(service: ServiceWithEvents, tenant: Tenant, authority: string, after: number): Promise<SentEvents> {
    return this.post(service, tenant, authority, '/clock/events', { after });
  }

  /** Waits some seconds until the given events have arrived at webhooks, and all attempts that can be made now are recorded. */
  settle(tenant: Tenant, authority: string, events: readonly string[]): Promise<Unfinished> {
    return this.post('webhooks', tenant, authority, '/clock/settle', { events });
  }

  private async post<T>(
    service: ServiceWithDueItems,
    tenant: Tenant,
    authority: string,
    path: string,
    body: object,
  ): Promise<T> {
    const caller: Caller = {
      tenant,
      environment: this.environment,
      authority,
      requestId: newId('clock_'),
      scopes: [],
      resourceIds: null,
      consentDefault: 'withdrawn',
      endpointLimit: 0,
    };
    const release = await this.capacity.acquire(tenant, service, 'long');
    const request = {
      method: 'POST',
      path: `/internal${path}`,
      headers: {
        [CONTEXT_HEADER]: this.signer.sign(caller, service),
        'x-request-id': caller.requestId,
        'content-type': 'application/json',
      },
      body: Buffer.from(JSON.stringify(body)),
      isRepeatable: true,
    } as const;
    const { status, headers, body: answer } = await this.upstreams[service].send(request).finally(release);
    this.capacity.charge(tenant, headers[COST_HEADER]);
    const parsed = JSON.parse(answer.toString('utf8'));
    if (status === 200) return parsed as T;
    const { code, message } = parsed.error ?? {};
    if (status === 503 || !isErrorCode(String(code))) throw unavailable(`The ${service} service`);
    throw new RejectedItem(`${service}: ${message}`);
  }
}

function nextIn({ next }: Answer): DueItem | null {
  return next && { ...next, at: new Date(next.at) };
}

/** Returns whether an error is the rejection of an item, which a repetition does not change. */
export function isRejectedItem(error: unknown): error is Error {
  return error instanceof RejectedItem;
}
