import type { Child, Children } from './children';
/** What operators can search workflows by. Never a member reference: these are stored in the clear. */
export declare const searchAttributes: {
  readonly ClaimStatus: 'Keyword';
  readonly PreauthorizationStatus: 'Keyword';
  readonly RemittanceStatus: 'Keyword';
  readonly Environment: 'Keyword';
  readonly ProjectId: 'Keyword';
  readonly DueAt: 'Datetime';
};
export interface TemporalOptions {
  children: Children;
  executable: string;
  databaseFile: string;
  logFile: string;
  port: number;
  /** Undefined for no UI. */
  uiPort: number | undefined;
}
/** Starts the server and waits until it takes workflows. */
export declare function startTemporal(options: TemporalOptions): Promise<Child>;
