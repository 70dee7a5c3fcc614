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

/** The time at which work for a simulated project is executed. */
export interface ProjectTime {
  readonly project: string;
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
