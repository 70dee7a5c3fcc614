/** Messages that could not be understood, kept as they came until an operator decides; see the service's README. */
import { createHash } from 'node:crypto';
import type { Db, Tx } from '@carecover/platform';

export interface DeadLetteredMessage {
  readonly subject: string;
  readonly streamSequence: number;
  readonly data: Uint8Array;
  readonly reason: string;
}

const MAX_REASON_LENGTH = 500;

/** Parks a message once, however often the stream repeats it. */
export async function deadLetterMessage(db: Db, message: DeadLetteredMessage): Promise<void> {
  const data = Buffer.from(message.data);
  const digest = createHash('sha256').update(message.subject).update('\0').update(data).digest();
  await db`
    insert into dead_lettered_messages (digest, subject, stream_seq, data, reason)
    values (${digest}, ${message.subject}, ${message.streamSequence}, ${data},
            ${message.reason.replaceAll('\0', '').slice(0, MAX_REASON_LENGTH)})
    on conflict do nothing`;
}

/** A dead-lettered message as an operator sees it. */
export interface DeadLetteredMessageRecord {
  /** Its digest, in hexadecimal. */
  readonly digest: string;
  readonly subject: string;
  readonly data: Buffer;
  readonly reason: string;
  readonly dead_lettered_at: Date;
}

/** The oldest first. */
export async function listDeadLetteredMessages(db: Db): Promise<DeadLetteredMessageRecord[]> {
  return [
    ...(await db<DeadLetteredMessageRecord[]>`
      select encode(digest, 'hex') as digest, subject, data, reason, dead_lettered_at from dead_lettered_messages
      order by dead_lettered_at, digest`),
  ];
}

/** Removes a dead-lettered message and gives it; null where there is none of that digest. */
export async function takeDeadLetteredMessage(
  tx: Tx,
  digest: string,
): Promise<DeadLetteredMessageRecord | null> {
  const [message] = await tx<DeadLetteredMessageRecord[]>`
    delete from dead_lettered_messages where digest = decode(${digest}, 'hex')
    returning encode(digest, 'hex') as digest, subject, data, reason, dead_lettered_at`;
  return message ?? null;
}
