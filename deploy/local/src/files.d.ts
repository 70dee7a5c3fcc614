/** Replaces the file's content. `mode` is 0600 for what only its owner may read. */
export declare function writeWhole(path: string, text: string, mode?: number): Promise<void>;
/** The file's text, or undefined where there is none. */
export declare function readIfThere(path: string): Promise<string | undefined>;
