/** SQL of dead-lettered messages: those that could not be parsed or stored, until an operator publishes them again or discards them. */
import { createHash } from 'node:crypto';
import type { Db, Tx } from '@carecover/postgres';

export interface DeadLetteredMessage {
  readonly subject: string;
  readonly streamSequence: number;
  readonly data: Uint8Array;
  readonly reason: string;
}

const MAX_REASON_LENGTH = 500;

/** Stores a dead-lettered message. A message with the same subject and data is stored once. */
export async function deadLetterMessage(db: Db, message: DeadLetteredMessage): Promise<void> {
  const data = Buffer.from(message.data);
  const digest = createHash('sha256').update(message.subject).update('\0').update(data).digest();
  await db`
    insert into dead_lettered_messages (digest, subject, stream_seq, data, reason)
    values (${digest}, ${message.subject}, ${message.streamSequence}, ${data},
            ${message.reason.replaceAll('\0', '').slice(0, MAX_REASON_LENGTH)})
    on conflict do nothing`;
}

/** A dead-lettered message as the CLI shows it. */
export interface DeadLetteredMessageRecord {
  /** SHA-256 of the message's subject and data, in hexadecimal. */
  readonly digest: string;
  readonly subject: string;
  readonly data: Buffer;
  readonly reason: string;
  readonly dead_lettered_at: Date;
}

/** Reads all dead-lettered messages, the oldest first. */
export async function listDeadLetteredMessages(db: Db): Promise<DeadLetteredMessageRecord[]> {
  return [
    ...(await db<DeadLetteredMessageRecord[]>`
      select encode(digest, 'hex') as digest, subject, data, reason, dead_lettered_at from dead_lettered_messages
      order by dead_lettered_at, digest`),
  ];
}

/** Deletes and returns the dead-lettered message with the given digest; null if there is none. */
export async function takeDeadLetteredMessage(
  tx: Tx,
  digest: string,
): Promise<DeadLetteredMessageRecord | null> {
  const [message] = await tx<DeadLetteredMessageRecord[]>`
    delete from dead_lettered_messages where digest = decode(${digest}, 'hex')
    returning encode(digest, 'hex') as digest, subject, data, reason, dead_lettered_at`;
  return message ?? null;
}

/** Counts the dead-lettered messages, and reads when the oldest was stored; null if there is none. */
export async function summarizeDeadLetteredMessages(db: Db) {
  const [row] = await db<{ count: number; oldest_at: Date | null }[]>`
    select count(*) as count, min(dead_lettered_at) as oldest_at from dead_lettered_messages`;
  return { count: Number(row?.count ?? 0), oldest_at: row?.oldest_at ?? null };
}

/** Counts the dead-lettered messages. */
export async function countDeadLetteredMessages(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) as count from dead_lettered_messages`;
  return row?.count ?? 0;
}
