/**
 * The capacity that each project has in the gateway, so that no project delays the requests of another one. It has two parts:
 *
 * - processor time: an account per project. The rate limit of the project refills it, and each request is charged what it cost. The requests
 *   of a project whose account is empty wait for their turn.
 * - permits: a limit on the requests in progress, of one project and of all projects, per service and kind of work.
 *
 * The README shows the states of a request. Failure policy: closed. A request that waits too long, or that too many others precede, gets 429
 * if its project has used its processor time, otherwise 503; both have Retry-After.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation, ServiceName } from '@carecover/contract';
import { unavailable } from '@carecover/domain';
import { FairSemaphore, FairSemaphores } from '@carecover/process';
import { activeCost, type Log, measureCost, RequestCost } from '@carecover/telemetry';
import { LRUCache } from 'lru-cache';
import { MAX_WAITING_OF_PROJECT, ProcessorTimeAccount, WAIT_MS } from './processor-time-account';
import type { Admission } from './store/admissions';

/**
 * The kinds of work, each with permits of its own. `long` are answers that take long to compute or that wait for a receiver; `file` are
 * downloads, which take as long as the client reads.
 */
export type Work = 'read' | 'command' | 'long' | 'file';

export interface CapacityLimits {
  /** The processor time in milliseconds that a request of the rate limit costs on average. */
  readonly requestCostMs: number;
  /** Maximum number of one project's reads, and of its commands, in progress per replica of a service. */
  readonly requestsOfProject: number;
  /** Maximum number of one project's long answers, and of its files, in progress per replica of a service. */
  readonly longRequestsOfProject: number;
}

/** Maximum number of requests in progress per replica of a service, by kind of work. All but files share the connections to the replica. */
const PERMITS: Readonly<Record<Work, number>> = { read: 32, command: 32, long: 16, file: 16 };
/** The number of connections to each replica, apart from those for files. */
export const CONNECTIONS = PERMITS.read + PERMITS.command + PERMITS.long;
export const FILE_CONNECTIONS = PERMITS.file;

const MAX_WAITING = 1_024;

/**
 * The lowest rate limit by which an account is refilled, in requests per minute: a single report can cost as much as all requests of a low
 * limit.
 */
const LEAST_REFILLING_LIMIT = 200;
/** What a request costs in addition to what is measured, in milliseconds: connections, TLS, the check of the key, and the log. */
const UNMEASURED_MS = 1;
/** What a mebibyte of a response costs the gateway (12) and the service apart from its statements (13), in milliseconds. */
export const MEBIBYTE_MS = 25;
/** The number of projects whose accounts are kept. A project that is forgotten has a full account again. */
const MAX_ACCOUNTS = 10_000;

/** Returns which permits a request needs. @param isFile whether its response is a file */
export function workOf({ method, isLong }: Operation, isFile: boolean): Work {
  if (isFile) return 'file';
  if (isLong === true) return 'long';
  return method === 'GET' ? 'read' : 'command';
}

type ForwardedService = Exclude<ServiceName, 'gateway'>;

const WAITING = { maxWaiting: MAX_WAITING, maxWaitingPerQueue: MAX_WAITING_OF_PROJECT, waitMs: WAIT_MS };
const WITHOUT_WAITING = {
  maxWaiting: 0,
  maxWaitingPerQueue: 0,
  waitMs: 0,
  rejection: () => unavailable('Capacity for requests of this project'),
};

/** The permits of one kind of work for one service. A request needs one of its project's permits, and then one of all. */
interface Permits {
  readonly ofProject: FairSemaphores;
  readonly ofAll: FairSemaphore;
}

/** A request of a project that has started. */
export interface Turn {
  readonly cost: RequestCost;
  /** Waits without a permit, and then until the project has processor time again. @throws ApiError rate_limited, service_unavailable */
  wait(ms: number): Promise<void>;
}

export class ProjectCapacity {
  private readonly accounts = new LRUCache<string, ProcessorTimeAccount>({ max: MAX_ACCOUNTS });
  private readonly permits = new Map<string, Permits>();
  /** Limits the requests of each project that wait for a time. */
  private readonly sleeping = new FairSemaphores(() => ({
    ...WITHOUT_WAITING,
    permits: MAX_WAITING_OF_PROJECT,
  }));

  /** @param replicasOf returns the number of a service's replicas */
  constructor(
    private readonly limits: CapacityLimits,
    private readonly replicasOf: (service: ForwardedService) => number,
    private readonly log: Log,
  ) {}

  /**
   * Runs `work` for a request when its project has processor time, and charges what it costs.
   *
   * @param response the response to the request; a request whose client has left no longer waits
   * @throws ApiError rate_limited if the request waits too long
   */
  async run<T>(
    { tenant, rateLimit }: Pick<Admission, 'tenant' | 'rateLimit'>,
    operation: Operation,
    response: ServerResponse,
    work: (turn: Turn) => Promise<T>,
  ): Promise<T> {
    const account = this.accountOf(tenant, rateLimit);
    const cost = new RequestCost(tenant);
    let reservedMs = await account.reserve(operation.id, response);
    let settledMs = 0;
    const settle = () => {
      account.settle(operation.id, reservedMs, cost.ms + UNMEASURED_MS - settledMs);
      settledMs = cost.ms;
      reservedMs = 0;
    };
    const wait = async (ms: number) => {
      settle();
      await this.sleeping.acquire(tenant, tenant);
      await sleep(ms);
      this.sleeping.release(tenant);
      reservedMs = await account.reserve(operation.id, response);
    };
    try {
      return await measureCost(cost, () => work({ cost, wait }));
    } finally {
      settle();
    }
  }

  /**
   * Takes a permit for a request to a service, or waits for one; a request for a file does not wait. Returns the function that releases the
   * permit.
   *
   * @throws ApiError service_unavailable if the request waits too long, or if too many requests wait
   */
  async acquire(project: string, service: ForwardedService, work: Work): Promise<() => void> {
    const { ofProject, ofAll } = this.permitsOf(service, work);
    await ofProject.acquire(project, project);
    try {
      await ofAll.acquire(project);
    } catch (error) {
      ofProject.release(project);
      throw error;
    }
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      ofAll.release();
      ofProject.release(project);
    };
  }

  /**
   * Charges what a service reported for a call: to the request that is executed, or, for work that no request waits for, such as the advance
   * of a clock, to the project.
   *
   * @param reported the value of {@link COST_HEADER}
   */
  charge(project: string, reported: string | readonly string[] | undefined): void {
    const cost = new RequestCost(project);
    cost.addReported(reported);
    const request = activeCost();
    if (request === undefined) this.accounts.get(project)?.charge(cost.ms);
    else request.add(cost.ms);
  }

  private accountOf(project: string, rateLimit: number): ProcessorTimeAccount {
    const requests = Math.max(rateLimit, LEAST_REFILLING_LIMIT);
    const refillPerMs = (requests * this.limits.requestCostMs) / 60_000;
    const known = this.accounts.get(project);
    known?.setRate(refillPerMs);
    const account = known ?? new ProcessorTimeAccount(refillPerMs, project, this.log);
    if (known === undefined) this.accounts.set(project, account);
    return account;
  }

  private permitsOf(service: ForwardedService, work: Work): Permits {
    const name = `${service} ${work}`;
    const known = this.permits.get(name);
    if (known !== undefined) return known;
    const replicas = this.replicasOf(service);
    const { requestsOfProject, longRequestsOfProject } = this.limits;
    const ofProject = work === 'read' || work === 'command' ? requestsOfProject : longRequestsOfProject;
    const options =
      work === 'file'
        ? WITHOUT_WAITING
        : { ...WAITING, rejection: () => unavailable(`The ${service} service`) };
    const created = {
      ofProject: new FairSemaphores(() => ({ ...options, permits: ofProject * replicas })),
      ofAll: new FairSemaphore({ ...options, permits: PERMITS[work] * replicas }),
    };
    this.permits.set(name, created);
    return created;
  }
}
