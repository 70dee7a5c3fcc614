export declare function startReceivers(): Promise<{
  accepting: string;
  refusing: string;
  close(): void;
}>;
