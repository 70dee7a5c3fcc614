/**
 * Writes that a person confirms. The first call of a tool changes nothing: it returns a question, which the client shows to a person. The
 * client repeats the call with the answer and with the signed state of the question.
 *
 * Failure policy: closed. Without a question that this client has received for the same arguments within ten minutes, and without its one
 * answer that says yes, nothing is executed. The answer comes from the client, so it proves nothing about a person: see decision 0059.
 */
import { type InputRequiredResult, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { type ToolArguments, ToolError } from './operation-call';

/** The state of a resource that a person must know to confirm a write, such as the decision that it replaces. */
export interface CurrentState {
  /** The state as a sentence of the question. If it is another one at the answer, the person is asked again. */
  readonly text: string;
  /** Whether the resource shows the effect of this very call: then the state differs because the call is repeated. */
  readonly hasEffect: boolean;
}

/** What a call of a tool would do, for a person. */
export interface Question {
  /** The amount, currency and resource, and the effect. It must be the same when the call is repeated, also after the write. */
  readonly text: string;
  /** What the write changes of the resource, as it is now; absent if the API rejects the write after any such change. */
  readonly current?: CurrentState;
  /** The answer that executes the call, such as `Approve the claim`. */
  readonly yes: string;
}

/** The writes that a project permits to agents. */
export interface ConfirmedWrites {
  /** Identifies the credential. A question of one credential is not answered by another one. */
  readonly holder: string;
  /** Returns where a person can do the same: the address of a page of the console, such as `/claims/clm_…`, in the caller's project. */
  readonly consolePage: (path: string) => string;
  /** Returns a signature that every replica recognizes. */
  readonly sign: (text: string) => string;
  readonly isSigned: (text: string, signature: string) => boolean;
}

/** What the client sent beside the arguments of a tool, for a question. */
export interface ClientAnswer {
  /** Whether the client declares that it can show a form to a person. */
  readonly canAsk: boolean;
  readonly responses: Readonly<Record<string, unknown>> | undefined;
  readonly state: unknown;
}

const KEY = 'confirmation';
const FIELD = 'decision';
const NO = 'Change nothing';
const LIFETIME_MS = 10 * 60_000;
/** Calls without an answer within this time, in milliseconds, are about one question. */
const ASKED_STEP_MS = 2 * 60_000;

/**
 * Returns when the question of a call was asked, in epoch milliseconds: the time in the state of an answer, if it is recent enough, otherwise
 * now, rounded down so that a call that is soon repeated asks the same question.
 */
export function askedAt({ state }: Pick<ClientAnswer, 'state'>, nowMs = Date.now()): number {
  const askedMs = Number(String(state ?? '').split('.')[0]) - LIFETIME_MS;
  return askedMs <= nowMs && nowMs < askedMs + LIFETIME_MS
    ? askedMs
    : Math.floor(nowMs / ASKED_STEP_MS) * ASKED_STEP_MS;
}

/** Returns whether the capabilities of a client contain forms. An empty `elicitation` means forms alone. */
export function canShowForms(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { elicitation?: { form?: unknown; url?: unknown } };
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** Returns the text whose signature is the state of a question: who was asked, and about which call. */
function signedText(
  { holder }: ConfirmedWrites,
  tool: string,
  given: ToolArguments,
  { text }: Question,
  current: string,
  expiresAtMs: number,
): string {
  const ordered = Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([expiresAtMs, holder, tool, ordered, text, current]);
}

function ask({ yes }: Question, message: string, state: string): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      [KEY]: inputRequired.elicit({
        message,
        requestedSchema: {
          type: 'object',
          properties: {
            // One choice without a default: a client that fills forms without a person would confirm a checkbox.
            [FIELD]: { type: 'string', title: 'Your decision', enum: [yes, NO] },
          },
          required: [FIELD],
        },
      }),
    },
    requestState: state,
  });
}

function declined(): ToolError {
  return new ToolError(
    'not_confirmed',
    'The person did not confirm. Nothing was changed. Do not call the tool again unless the person asks for it.',
  );
}

/** Returns the error for a client that can't ask a person. @param page where a person can do the same */
export function cannotAsk(page: string): ToolError {
  return new ToolError(
    'confirmation_unavailable',
    `This client can't ask a person, so nothing was changed. A person can do it in the console: ${page}`,
  );
}

const CHANGED = 'The state has changed since the question was asked, so the answer changed nothing.';

/**
 * Returns the question to send; null if the person has confirmed it. The state of a question contains the resource's state that it showed. If
 * the resource now has another one, which is not the effect of this very call, the person is asked again.
 *
 * @param askedMs when the question was asked, see {@link askedAt}
 * @throws ToolError not_confirmed if the person declined
 */
export function confirm(
  writes: ConfirmedWrites,
  tool: string,
  given: ToolArguments,
  question: Question,
  { responses, state }: ClientAnswer,
  askedMs: number,
): InputRequiredResult | null {
  const expiresAtMs = askedMs + LIFETIME_MS;
  const signedUntil = (current: string) => signedText(writes, tool, given, question, current, expiresAtMs);
  const { text: current, hasEffect } = question.current ?? { text: '', hasEffect: false };
  let hasChanged = false;
  const response = inputResponse(responses, KEY);
  if (response.kind === 'elicit') {
    if (response.action !== 'accept' || response.content?.[FIELD] !== question.yes) throw declined();
    const [, signature = '', encoded = ''] = String(state).split('.');
    const shown = Buffer.from(encoded, 'base64url').toString();
    const isAnswered = writes.isSigned(signedUntil(shown), signature);
    if (isAnswered && (shown === current || hasEffect)) return null;
    hasChanged = isAnswered;
  }
  const signature = writes.sign(signedUntil(current));
  const message = [...(hasChanged ? [CHANGED] : []), question.text, ...(current === '' ? [] : [current])];
  return ask(
    question,
    message.join('\n'),
    `${expiresAtMs}.${signature}.${Buffer.from(current).toString('base64url')}`,
  );
}
