import { type ServiceName } from '@carecover/platform/migrate';
export interface TestDatabaseOptions {
  /** Whose roles, schemas and migrations it gets. */
  services: readonly ServiceName[];
  /** `test` unless given: in that mode alone its clock can be moved. */
  mode?: 'test' | 'local' | 'production';
}
export interface TestDatabase {
  readonly name: string;
  readonly adminUrl: string;
  /** Address for connecting as this service's role. */
  url(service: ServiceName): string;
  /** Moves `platform.now()` this many milliseconds away from the real time, for all its connections. */
  setClockOffset(offsetMs: number): Promise<void>;
  drop(): Promise<void>;
}
export declare function createTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase>;
