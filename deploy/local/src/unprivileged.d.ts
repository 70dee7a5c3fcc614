export interface User {
  uid: number;
  gid: number;
}
/** Who PostgreSQL runs as, and so who owns its files; undefined when that is simply us. */
export declare function unprivilegedUser(): Promise<User | undefined>;
/** The command line that runs a program of PostgreSQL's as whom it may run. */
export declare function asUnprivileged(
  program: string,
  args: readonly string[],
): Promise<[string, ...string[]]>;
