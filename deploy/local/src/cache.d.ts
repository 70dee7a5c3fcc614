export declare function cacheFolder(env?: NodeJS.ProcessEnv): string;
export interface CacheEntry {
  name: string;
  /** Everything that the result depends on; the platform is added. */
  input: readonly string[];
  /** Makes the entry in this new, empty folder. */
  make: (folder: string) => Promise<void>;
}
/** The folder of an entry, made first if it isn't there. Errors of `make` pass through, and leave nothing behind. */
export declare function cached(entry: CacheEntry, folder?: string): Promise<string>;
