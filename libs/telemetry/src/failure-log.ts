/**
 * Logs failures that a client can cause at any rate: each message at most {@link LINES_PER_MINUTE} times per minute, so that an
 * attacker can't fill the log. A line has the number of lines with its message that were suppressed before it.
 */
import type { Log } from './log';
import { MinuteLimiter } from './minute-limiter';

const LINES_PER_MINUTE = 10;

export class FailureLog {
  private readonly lines = new MinuteLimiter(LINES_PER_MINUTE);
  private readonly suppressed = new Map<string, number>();

  constructor(private readonly log: Log) {}

  /**
   * Logs a warning, or counts it if this minute has too many lines with the message.
   *
   * @param message a text of a small set, because the counts of all messages stay in memory
   */
  warn(fields: object, message: string): void {
    const suppressed = this.suppressed.get(message) ?? 0;
    const isSuppressed = this.lines.count(message) !== null;
    this.suppressed.set(message, isSuppressed ? suppressed + 1 : 0);
    if (!isSuppressed) this.log.warn({ ...fields, suppressed_lines: suppressed }, message);
  }
}
