import { type ServiceName } from '@carecover/platform/migrate';
import { type FreeSpace } from './disk';
import { type Home } from './home';
import { type Servers } from './servers';
import type { LocalSettings } from './settings';
import type { StackFile } from './stack-file';
import { Supervised } from './supervised';
export interface StackOptions {
  settings: LocalSettings;
  /** Processes of each service, and gateways; 1 unless given. */
  replicas?: number;
  /** `local` unless given; `test` adds failpoints and a clock that can be moved. */
  mode?: 'local' | 'test';
  /** `sandbox` unless given. */
  environment?: 'sandbox' | 'production';
  /** False keeps off the usual ports; true unless given. */
  usualPorts?: boolean;
  /** Told what happens to the processes once everything runs. */
  print: (line: string) => void;
  freeSpace?: FreeSpace;
}
export declare class Stack {
  private readonly options;
  readonly home: Home;
  private readonly children;
  private lock;
  private servers_;
  private file_;
  private readonly processes;
  constructor(options: StackOptions);
  /** What is in stack.json. */
  get file(): StackFile;
  get servers(): Servers;
  /** A service's process; replicas are counted from 0. */
  process(service: ServiceName, replica?: number): Supervised;
  /** Brings everything up. @throws StartFailure; call {@link stop} then too */
  start(): Promise<StackFile>;
  /** Stops everything within ten seconds, whatever state the start is in. */
  stop(): Promise<void>;
  private prepareDatabase;
  private startServices;
  private project;
}
