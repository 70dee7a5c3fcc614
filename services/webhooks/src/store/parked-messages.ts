/** Messages that could not be understood, kept as they came until an operator decides; see the service's README. */
import { createHash } from 'node:crypto';
import type { Db, Tx } from '@carecover/platform';

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

/** A parked message as an operator sees it. */
export interface ParkedMessageRecord {
  /** Its digest, in hexadecimal. */
  readonly digest: string;
  readonly subject: string;
  readonly data: Buffer;
  readonly reason: string;
  readonly parked_at: Date;
}

/** The oldest first. */
export async function listParkedMessages(db: Db): Promise<ParkedMessageRecord[]> {
  return [
    ...(await db<ParkedMessageRecord[]>`
      select encode(digest, 'hex') as digest, subject, data, reason, parked_at from parked_messages
      order by parked_at, digest`),
  ];
}

/** Removes a parked message and gives it; null where there is none of that digest. */
export async function takeParkedMessage(tx: Tx, digest: string): Promise<ParkedMessageRecord | null> {
  const [message] = await tx<ParkedMessageRecord[]>`
    delete from parked_messages where digest = decode(${digest}, 'hex')
    returning encode(digest, 'hex') as digest, subject, data, reason, parked_at`;
  return message ?? null;
}
