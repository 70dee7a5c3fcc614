/** Replaces what a step shows as done, for example "12 of 40 MB". */
export type Report = (done: string) => void;
export interface ShowProgress {
  <T>(title: string, step: (report: Report) => Promise<T>): Promise<T>;
  /** Erases the progress line of a terminal, before another line is printed there. The next second draws it again. */
  erase(): void;
}

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export function createProgress(output: Output): ShowProgress;
export const showProgress: ShowProgress;
