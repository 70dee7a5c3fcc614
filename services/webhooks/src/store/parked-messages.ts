/** Messages that could not be understood, kept as they came for an operator; see the service's README. */
import { createHash } from 'node:crypto';
import type { Db } from '@carecover/platform';

export interface ParkedMessage {
  readonly subject: string;
  readonly streamSequence: number;
  readonly data: Uint8Array;
  readonly reason: string;
}

const MAX_REASON_LENGTH = 500;

/** Parks a message once, however often the stream repeats it. */
export async function parkMessage(db: Db, message: ParkedMessage): Promise<void> {
  const data = Buffer.from(message.data);
  const digest = createHash('sha256').update(message.subject).update('\0').update(data).digest();
  await db`
    insert into parked_messages (digest, subject, stream_seq, data, reason)
    values (${digest}, ${message.subject}, ${message.streamSequence}, ${data},
            ${message.reason.replaceAll('\0', '').slice(0, MAX_REASON_LENGTH)})
    on conflict do nothing`;
}
