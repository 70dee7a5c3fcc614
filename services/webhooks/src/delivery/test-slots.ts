/**
 * Limits the tests of endpoints that this process executes at a time for a project. A test takes up to ten seconds, so without a limit a
 * project whose receivers do not respond would use the gateway's capacity for all webhook requests.
 */
import { ApiError, FairSemaphores, type Tenant } from '@carecover/platform';

/** Maximum number of concurrent tests per project and process. */
const TESTS_PER_PROJECT = 8;
/** Maximum number of tests of a project that wait in a process. */
const WAITING_PER_PROJECT = 24;
const WAIT_MS = 10_000;
const RETRY_AFTER_S = 5;

export class TestSlots {
  private readonly slots = new FairSemaphores(() => ({
    permits: TESTS_PER_PROJECT,
    maxWaiting: WAITING_PER_PROJECT,
    maxWaitingPerQueue: WAITING_PER_PROJECT,
    waitMs: WAIT_MS,
    rejection: () =>
      new ApiError(
        'service_unavailable',
        `${TESTS_PER_PROJECT} concurrent tests of endpoints are in progress. Repeat the request later.`,
        RETRY_AFTER_S,
      ),
  }));

  /** Executes a test of a project's endpoint, at once or after other tests of the project. @throws ApiError service_unavailable */
  async run<T>(tenant: Tenant, test: () => Promise<T>): Promise<T> {
    await this.slots.acquire(tenant, tenant);
    try {
      return await test();
    } finally {
      this.slots.release(tenant);
    }
  }
}
