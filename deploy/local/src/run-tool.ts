/** Runs a program whose output is shown only if it fails. */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { StartFailure } from './failure';

const SHOWN_LINES = 12;

/**
 * Runs a program and returns its standard output. `onErrorOutput` receives its error output while it runs.
 *
 * @throws StartFailure with the last lines of the program's output if the program can't run or its exit code is not 0
 */
export function runTool(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env: NodeJS.ProcessEnv; onErrorOutput?: (chunk: string) => void },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { onErrorOutput, ...spawnOptions } = options;
    const tool = spawn(command, args, { ...spawnOptions, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, output] = ['', ''];
    tool.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      output += chunk.toString();
    });
    tool.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      onErrorOutput?.(chunk.toString());
    });
    const stopTool = () => tool.kill();
    process.once('exit', stopTool);
    const fail = (how: string, cause?: Error) => {
      process.off('exit', stopTool);
      const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
      reject(new StartFailure(`${basename(command)} ${how}.\n${lines}`.trimEnd(), { cause }));
    };
    tool.once('error', (error) => fail("can't be run", error));
    tool.once('close', (code, signal) => {
      process.off('exit', stopTool);
      if (code === 0) resolve(stdout);
      else fail(signal === null ? `ended with code ${code}` : `was ended by ${signal}`);
    });
  });
}
