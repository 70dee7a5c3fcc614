import type { Event } from '@carecover/client';
export interface Receiver {
  readonly url: string;
  /** Events by id, in the order of their first arrival; those that came before the secret was known included. */
  readonly events: ReadonlyMap<string, Event>;
  /** Deliveries whose signature did not fit. */
  readonly forged: () => number;
  /** Tells it the endpoint's secret; deliveries before that are answered 503 and come again. */
  trust(secret: string): void;
  /** Waits until `enough` says so. False where that took longer than `timeoutMs`. */
  waitUntil(enough: (events: readonly Event[]) => boolean, timeoutMs: number): Promise<boolean>;
  close(): Promise<void>;
}
export declare function startReceiver(): Promise<Receiver>;
