/**
 * Its standard output.
 * @throws StartFailure with the last lines that it wrote, when it can't be run or ends with another code than 0
 */
export declare function runTool(
  command: string,
  args: readonly string[],
  options: {
    cwd?: string;
    env: NodeJS.ProcessEnv;
  },
): Promise<string>;
