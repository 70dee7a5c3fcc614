/** Runs a build tool to its end. Its output is shown only when it fails, and then only the end of it. */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { StartFailure } from './failure';

const KEPT_BYTES = 4_000;
const SHOWN_LINES = 12;

/** @throws StartFailure with the last lines that the tool wrote, when it can't be run or ends with another code than 0. */
export function runTool(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env: NodeJS.ProcessEnv },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const tool = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-KEPT_BYTES);
    };
    tool.stdout.on('data', keep);
    tool.stderr.on('data', keep);
    const endWithUs = () => tool.kill();
    process.once('exit', endWithUs);
    const fail = (how: string, cause?: Error) => {
      const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
      reject(new StartFailure(`${basename(command)} ${args[0]} ${how}.\n${lines}`.trimEnd(), { cause }));
    };
    tool.once('error', (error) => fail("can't be run", error));
    tool.once('close', (code, signal) => {
      process.off('exit', endWithUs);
      if (code === 0) resolve();
      else fail(signal === null ? `ended with code ${code}` : `was ended by ${signal}`);
    });
  });
}
