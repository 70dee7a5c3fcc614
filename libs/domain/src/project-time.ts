/**
 * The time of simulated projects. The time of a simulated project is chosen when the project is created, and only advances move it. Whether a
 * project is simulated follows from its ID, so that every process and every SQL statement knows it without a lookup. See
 * docs/decisions/0062-test-clocks.md.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The end of the ID of every simulated project, and of no other: the rest of an ID has no underscore after its prefix. */
const SIMULATED_SUFFIX = '_sim';

/** Returns whether the project's time is simulated. The SQL function `platform.is_simulated` returns the same. */
export function isSimulated(projectId: string): boolean {
  return projectId.endsWith(SIMULATED_SUFFIX);
}

/** Returns the ID of a simulated project. @param id a new project ID */
export function simulatedProjectId(id: string): string {
  return `${id}${SIMULATED_SUFFIX}`;
}

/**
 * Numbers the IDs that one piece of work of a simulated project makes. The same work of a project with a seed has the same IDs, and the IDs of
 * lines that are executed concurrently have the order of the lines. See docs/decisions/0068-same-script-same-bytes.md.
 */
export class WorkIds {
  private made = 0;
  /** The place of the work among others at the same instant, with which its scope begins (`12:`); null: it has none. */
  readonly order: number | null;

  /**
   * @param seed null: the IDs are random, apart from their order
   * @param scope what the work is; no other work of the project has it, so that no ID is made twice
   */
  constructor(
    readonly seed: string | null,
    private readonly scope: string,
  ) {
    const order = /^(\d+):/.exec(scope)?.[1];
    this.order = order === undefined ? null : Number(order);
  }

  /** Returns the number of the next name, and the name: that of an ID, or the scope of the work that this work lets another service do. */
  next(): { readonly index: number; readonly name: string } {
    const index = this.made++;
    return { index, name: `${this.scope}/${index}` };
  }
}

/** Returns what numbers the IDs of work; undefined if they are random and have the order in which they are made. */
export function workIds(seed: string | null, scope: string | null): WorkIds | undefined {
  if (scope === null) return undefined;
  const ids = new WorkIds(seed, scope);
  return seed === null && ids.order === null ? undefined : ids;
}

/** The time at which work for a simulated project is executed. */
export interface ProjectTime {
  readonly project: string;
  /** What numbers the IDs of the work; absent: they are random and have the order in which they are made. */
  readonly ids?: WorkIds | undefined;
  /** The instant at which a due item is executed, in epoch milliseconds; null: the project's clock decides, for each transaction. */
  readonly at: number | null;
  /** The time that the latest transaction of the work read, in epoch milliseconds. */
  nowMs: number;
}

const active = new AsyncLocalStorage<ProjectTime>();

/** Runs work at the time of a simulated project. */
export function runAtProjectTime<T>(time: ProjectTime, work: () => T): T {
  return active.run(time, work);
}

/** Returns the time at which the active work is executed; undefined if the work is not for a simulated project. */
export function activeProjectTime(): ProjectTime | undefined {
  return active.getStore();
}
