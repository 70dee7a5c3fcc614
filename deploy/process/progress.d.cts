/** Replaces what a step shows as done, for example "12 of 40 MB". */
export type Report = (done: string) => void;
export type ShowProgress = <T>(title: string, step: (report: Report) => Promise<T>) => Promise<T>;

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export function createProgress(output: Output): ShowProgress;
export const showProgress: ShowProgress;
