export interface Project {
  project_id: string;
  secret_key: string;
}
/** What the tool prints. @throws StartFailure where it fails, with what it wrote */
export declare function carecover(adminUrl: string, ...args: string[]): Promise<string>;
/** Makes a project with its first key. @throws StartFailure */
export declare function createProject(
  adminUrl: string,
  environment: 'sandbox' | 'production',
): Promise<Project>;
/** Recomputes every balance from the postings. @throws StartFailure naming what does not balance */
export declare function verifyLedger(adminUrl: string): Promise<void>;
