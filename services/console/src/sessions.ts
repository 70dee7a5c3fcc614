/**
 * The sign-in sessions of persons, in the memory of the process. A session ends one hour after its last request, and eight hours after the
 * sign-in. If a person has too many sessions, the least recently used one of the person ends; if all persons together have too many, the
 * least recently used one of all ends. After a restart of the process, a person signs in again.
 *
 * The forms of a person stay valid in the person's later sessions in the same process: a form that was open when the session ended can be sent after
 * the next sign-in, and so can those of other tabs, which share one cookie.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Person } from './person';

export interface Session extends Person {
  readonly id: string;
  /**
   * What the tokens of the person's forms are derived from, so that another site can't send a form (cross-site request forgery).
   */
  readonly formSecret: string;
  /** The ID token, by which the identity provider recognizes the session at the sign-out. */
  readonly idToken: string;
  readonly endsAtMs: number;
}

const MAX_SESSIONS = 1_000;
/** Without this limit, one person could end the sessions of all others by many sign-ins. */
const MAX_SESSIONS_PER_PERSON = 10;
const IDLE_MS = 60 * 60_000;
const MAX_AGE_MS = 8 * 60 * 60_000;

const MASK_BYTES = 16;

function tokenWith(mask: string, { formSecret }: Pick<Session, 'formSecret'>): string {
  return `${mask}.${createHmac('sha256', formSecret).update(mask).digest('base64url')}`;
}

/**
 * Returns a new token for a form of the session. Each page has a different token: the size of a compressed page that repeats a part of the
 * address would disclose a constant token (the BREACH attack).
 */
export function formToken(session: Pick<Session, 'formSecret'>): string {
  return tokenWith(randomBytes(MASK_BYTES).toString('base64url'), session);
}

/** Returns whether the token belongs to a form of the session's person. */
export function isFormToken(session: Pick<Session, 'formSecret'>, token: string): boolean {
  const [received, expected] = [token, tokenWith(token.split('.')[0] ?? '', session)].map((text) =>
    Buffer.from(text),
  );
  return (
    received !== undefined &&
    expected !== undefined &&
    received.length === expected.length &&
    timingSafeEqual(received, expected)
  );
}

const randomToken = () => randomBytes(32).toString('base64url');

export class Sessions {
  private readonly formKey = randomBytes(32);
  private readonly sessions = new LRUCache<string, Session>({
    max: MAX_SESSIONS,
    ttl: IDLE_MS,
    updateAgeOnGet: true,
  });

  /**
   * Starts a session, and ends the earlier one of the browser.
   *
   * @param earlierId the ID of the browser's earlier session; empty without one
   */
  create(person: Person, idToken: string, earlierId: string, nowMs = Date.now()): Session {
    this.end(earlierId);
    // The cache lists the most recently used session first.
    const own = [...this.sessions.values()].filter(({ subject }) => subject === person.subject);
    for (const { id } of own.slice(MAX_SESSIONS_PER_PERSON - 1)) this.end(id);
    const session = {
      ...person,
      id: randomToken(),
      formSecret: createHmac('sha256', this.formKey).update(person.subject).digest('base64url'),
      idToken,
      endsAtMs: nowMs + MAX_AGE_MS,
    };
    this.sessions.set(session.id, session);
    return session;
  }

  /** Returns the session; undefined if it has ended or does not exist. */
  find(id: string, nowMs = Date.now()): Session | undefined {
    const session = this.sessions.get(id);
    if (session === undefined || session.endsAtMs > nowMs) return session;
    this.end(id);
    return undefined;
  }

  end(id: string): void {
    this.sessions.delete(id);
  }
}
