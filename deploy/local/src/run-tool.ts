/** Runs a tool to its end. What it says is shown only when it fails, and then only the end of it. */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { StartFailure } from './failure';

const SHOWN_LINES = 12;

/**
 * Its standard output.
 * @throws StartFailure with the last lines that it wrote, when it can't be run or ends with another code than 0
 */
export function runTool(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const tool = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let [answer, everything] = ['', ''];
    tool.stdout.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
      everything += chunk.toString();
    });
    tool.stderr.on('data', (chunk: Buffer) => {
      everything += chunk.toString();
    });
    const endWithUs = () => tool.kill();
    process.once('exit', endWithUs);
    const fail = (how: string, cause?: Error) => {
      process.off('exit', endWithUs);
      const lines = everything.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
      reject(new StartFailure(`${basename(command)} ${how}.\n${lines}`.trimEnd(), { cause }));
    };
    tool.once('error', (error) => fail("can't be run", error));
    tool.once('close', (code, signal) => {
      process.off('exit', endWithUs);
      if (code === 0) resolve(answer);
      else fail(signal === null ? `ended with code ${code}` : `was ended by ${signal}`);
    });
  });
}
