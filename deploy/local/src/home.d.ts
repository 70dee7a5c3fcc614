export declare const REPOSITORY: string;
export interface Home {
  folder: string;
  lock: string;
  /** What scripts need to know of the running stack. */
  stack: string;
  secrets: string;
  /** The sandbox project and its key. */
  project: string;
  /** The ports of the last start, so that addresses stay the same. */
  ports: string;
  /** There once a journey has reached its end. */
  journeyDone: string;
  tls: string;
  postgresql: string;
  nats: string;
  temporal: string;
  logs: string;
}
export declare function homeAt(folder: string): Home;
