/** The shell commands of the quick start, and a booking for its command that delivers a session. */
import { extractBlocks, readPage } from './pages';

const [start = '', variables = '', program = '', curl = '', slots = '', deliver = '', ...others] =
  extractBlocks(readPage('docs/guides/quick-start.md'), 'sh');

/** The blocks of commands on the page, in its order. `others` are further blocks, which no test runs. */
export const quickStart = { start, variables, program, curl, slots, others } as const;

interface Slot {
  readonly practitioner_id: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly format: string;
}

/** Returns a command that books the slot with the quick start's variables, and prints the booking. */
export function bookingCommand({ practitioner_id, starts_at, ends_at, format }: Slot): string {
  const body = JSON.stringify({ practitioner_id, starts_at, ends_at, format, payment_source: 'covered' });
  return `curl -sS "$CARECOVER_URL/bookings" -H "Authorization: Bearer $CARECOVER_KEY" \\
    -H "Idempotency-Key: $(node -p 'crypto.randomUUID()')" -H 'Content-Type: application/json' -d '${body}'\n`;
}

/** Returns the page's command that delivers a session, with the ID of this session. @throws Error if the command has no ID */
export function deliveryCommand(sessionId: string): string {
  const command = deliver.replace(/\bses_[0-9a-f]{32}\b/, sessionId);
  if (command === deliver) throw new Error('the command of the quick start names no session');
  return command;
}
