/**
 * The output of the logger: a file descriptor with a buffer. Lines are buffered for at most 200 ms, because a write takes a considerable
 * part of the time of a request. Warnings and errors are written at once, with all lines before them.
 *
 * Failure policy: open. While the output can't be written, such as on a full disk, the process continues. The first mebibyte of lines
 * waits, and the write is retried every second; later lines are lost. When the output can be written again, one line has the number of
 * lost lines.
 */
import pino, { type DestinationStream, type Logger } from 'pino';

const BUFFER_BYTES = 4_096;
const FLUSH_AFTER_MS = 200;
const RETRY_AFTER_MS = 1_000;
const MAX_PENDING_BYTES = 1024 * 1024;
/** The number of pino's level `warn`. */
export const WARNING_LEVEL = 40;

/** A time in which the output can't be written. */
interface Outage {
  readonly sinceMs: number;
  readonly reason: string;
}

/** Returns the output with a buffer. The buffered lines are written at the latest when the process exits. */
export function bufferedOutput(fileDescriptor: number): DestinationStream {
  const file = pino.destination({
    dest: fileDescriptor,
    sync: true,
    minLength: BUFFER_BYTES,
    maxLength: MAX_PENDING_BYTES,
  });
  let outage: Outage | undefined;
  let hasFailed = false;
  let lostLines = 0;
  let hasExited = false;
  // The timer runs only while a line is buffered, so that an idle process has no timer.
  let timer: NodeJS.Timeout | undefined;

  const output = {
    // With this property, pino stores the level and the logger of each line in the other two properties before it calls `write`.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    lastLogger: undefined as Logger | undefined,
    write(line: string): void {
      if (hasExited) return;
      file.write(line);
      if (outage === undefined && output.lastLevel >= WARNING_LEVEL) flush();
      else timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref();
    },
  };

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    hasFailed = false;
    file.flush();
    if (hasFailed) timer = setTimeout(flush, RETRY_AFTER_MS).unref();
    else if (outage !== undefined) reportEnd(outage);
  }

  function reportEnd({ sinceMs, reason }: Outage): void {
    const seconds = Math.round((performance.now() - sinceMs) / 1000);
    const report = { reason, seconds, lost_lines: lostLines };
    outage = undefined;
    lostLines = 0;
    output.lastLogger?.warn(report, 'the log can be written again');
  }

  function startOutage(reason: string): void {
    outage ??= { sinceMs: performance.now(), reason };
  }

  // Without a listener, the error would be thrown to the code that logs a line.
  file.on('error', (error: Error) => {
    hasFailed = true;
    startOutage(error.message);
  });
  file.on('drop', () => {
    lostLines++;
    startOutage('a line is too long');
  });
  process.on('exit', () => {
    hasExited = true;
    // `flushSync` would retry a failed write for ever. `end` stops at the first one that fails.
    file.end();
  });
  return output;
}
