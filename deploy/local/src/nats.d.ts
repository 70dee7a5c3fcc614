import type { Child, Children } from './children';
export interface NatsOptions {
  children: Children;
  executable: string;
  folder: string;
  logFile: string;
  port: number;
}
/** Starts the server and waits until it serves streams. */
export declare function startNats(options: NatsOptions): Promise<Child>;
