/** Lets background loops wait: for some time, until they are stopped, or until there is work. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits `ms` milliseconds, or until `stopping` is aborted. The calling code must check `stopping` afterwards. */
export async function interruptibleSleep(ms: number, stopping: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stopping }).catch((error: unknown) => {
    if (!stopping.aborted) throw error;
  });
}

/**
 * Ends the wait of one loop in this process. A wake-up signal that is sent while the loop works ends the loop's next wait at once.
 *
 * @example
 * const signal = new WakeUpSignal();
 * while (!isStopping) if (!(await doWork())) await signal.wait(1_000);
 */
export class WakeUpSignal {
  private isSent = false;
  private endWait: () => void = () => undefined;

  send(): void {
    this.isSent = true;
    this.endWait();
  }

  /** Waits until the wake-up signal is sent, at most `limitMs` milliseconds. Returns whether it was sent. */
  async wait(limitMs: number): Promise<boolean> {
    if (!this.isSent) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.endWait = resolve;
        timer = setTimeout(resolve, limitMs);
      });
      clearTimeout(timer);
    }
    const { isSent } = this;
    this.isSent = false;
    return isSent;
  }
}
