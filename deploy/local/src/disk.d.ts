export declare const MEGABYTE = 1000000;
/** Bytes that this user can still write in a folder; the folder need not exist yet. */
export type FreeSpace = (folder: string) => Promise<number>;
export declare const freeSpaceOnDisk: FreeSpace;
/** @throws StartFailure naming the folder, when fewer than `bytes` are free there. `purpose` ends "… is needed to". */
export declare function ensureSpace(
  folder: string,
  bytes: number,
  purpose: string,
  freeSpace?: FreeSpace,
): Promise<void>;
