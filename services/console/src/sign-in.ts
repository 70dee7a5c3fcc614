/**
 * Sign-in by OpenID Connect: authorization code flow with PKCE (RFC 7636), state and nonce.
 *
 * Failure policy: closed. Without the identity provider no person can sign in; existing sign-in sessions continue. A callback sends a
 * request to the identity provider only if its browser has started the sign-in here. These requests are limited: {@link MAX_EXCHANGES} at
 * the same time, and {@link MAX_FAILURES_PER_MINUTE} that fail per network of clients. Further callbacks are rejected. Failures write a
 * limited number of log lines.
 */
import { ApiError, unavailable } from '@carecover/domain';
import type { ClientAddress } from '@carecover/http';
import { FairSemaphore } from '@carecover/process';
import { FailureLog, type Log, MinuteLimiter } from '@carecover/telemetry';
import type { Context } from 'koa';
import * as oidc from 'openid-client';
import { Cookies } from './cookies';
import {
  cookieNameOf,
  newState,
  type PendingSignIn,
  PendingSignIns,
  SIGN_IN_LIFETIME_MS,
  surplusCookies,
} from './pending-sign-ins';
import { type Person, personOf } from './person';
import { isFormToken, type Session, Sessions } from './sessions';
import type { Settings } from './settings';

const CALLBACK_PATH = '/sign-in/callback';
const SIGNED_OUT_PATH = '/signed-out';

const PROVIDER_TIMEOUT_SECONDS = 10;
const MAX_EXCHANGES = 4;
const MAX_WAITING = 64;
const MAX_WAITING_PER_NETWORK = 16;
const MAX_WAIT_MS = 5_000;
const MAX_FAILURES_PER_MINUTE = 30;

/** What the identity provider has confirmed about a person who signed in. */
interface CompletedSignIn {
  readonly person: Person;
  readonly issuer: string;
  readonly idToken: string;
  /** The path to show next. */
  readonly next: string;
}

function tooManySignIns(seconds: number): ApiError {
  return new ApiError('rate_limited', `Too many sign-ins. Try again in ${seconds} seconds.`, seconds);
}

/** Returns the path to show after the sign-in: only a path of this site, never another origin. */
function localPath(text: unknown): string {
  return typeof text === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && text.length < 1_000
    ? text
    : '/';
}

/**
 * Returns the value of a query parameter; undefined if it is absent or repeated. The time grows linearly with the length of the query, which
 * that of Koa's `ctx.query` does not: these requests come before a session exists.
 */
function parameterOf(ctx: Context, name: string): string | undefined {
  const [value, ...others] = new URLSearchParams(ctx.querystring).getAll(name);
  return others.length === 0 ? value : undefined;
}

export class SignIn {
  private readonly sessions = new Sessions();
  private configuration: Promise<oidc.Configuration> | undefined;
  private readonly cookies: Cookies;
  private readonly pendingSignIns = new PendingSignIns();
  private readonly failures = new MinuteLimiter(MAX_FAILURES_PER_MINUTE);
  /** Limits the requests to the identity provider's token endpoint that are in progress. */
  private readonly exchanges = new FairSemaphore({
    permits: MAX_EXCHANGES,
    maxWaiting: MAX_WAITING,
    maxWaitingPerQueue: MAX_WAITING_PER_NETWORK,
    waitMs: MAX_WAIT_MS,
    rejection: () => tooManySignIns(MAX_WAIT_MS / 1_000),
  });
  private readonly failureLog: FailureLog;

  constructor(
    private readonly settings: Settings,
    private readonly addresses: ClientAddress,
    log: Log,
  ) {
    this.failureLog = new FailureLog(log);
    this.cookies = new Cookies(settings.CONSOLE_URL);
  }

  /** The sources of `form-action` in the Content-Security-Policy: this site, and the identity provider, to which the sign-out redirects. */
  get formTargets(): string {
    return `'self' ${new URL(this.settings.OIDC_ISSUER).origin}`;
  }

  private url(path: string): string {
    return new URL(path, this.settings.CONSOLE_URL).href;
  }

  /** Reads the identity provider's metadata once. After a failure, the next sign-in repeats the request. */
  private configure(): Promise<oidc.Configuration> {
    const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, CARECOVER_MODE } = this.settings;
    this.configuration ??= oidc
      .discovery(new URL(OIDC_ISSUER), OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, undefined, {
        timeout: PROVIDER_TIMEOUT_SECONDS,
        ...(CARECOVER_MODE === 'production' ? {} : { execute: [oidc.allowInsecureRequests] }),
      })
      .catch((error: unknown) => {
        this.configuration = undefined;
        this.failureLog.warn({ err: error }, 'the identity provider is unavailable');
        throw unavailable('The identity provider');
      });
    return this.configuration;
  }

  /** Returns the identity provider's issuer and the address of its keys. @throws ApiError service_unavailable */
  async issuerMetadata(): Promise<Readonly<oidc.ServerMetadata>> {
    return (await this.configure()).serverMetadata();
  }

  session(ctx: Context): Session | undefined {
    return this.sessions.find(this.sessionIdOf(ctx));
  }

  /** Redirects to the identity provider. */
  async start(ctx: Context): Promise<void> {
    const configuration = await this.configure();
    const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), newState(), oidc.randomNonce()];
    for (const name of surplusCookies(ctx.get('cookie'), this.cookies.nameOf('')))
      this.cookies.set(ctx, name, null);
    const pending = { verifier, state, nonce, next: localPath(parameterOf(ctx, 'next')) };
    const name = cookieNameOf(state) ?? '';
    this.cookies.set(ctx, name, await this.pendingSignIns.seal(pending), SIGN_IN_LIFETIME_MS);
    ctx.redirect(
      oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: this.url(CALLBACK_PATH),
        scope: 'openid profile email',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      }).href,
    );
  }

  /**
   * Completes the sign-in at the identity provider. {@link startSession} is the next step.
   *
   * @throws ApiError permission_denied if it can't be completed or the person has no role; rate_limited
   */
  async complete(ctx: Context): Promise<CompletedSignIn> {
    const state = parameterOf(ctx, 'state');
    const name = cookieNameOf(state);
    const cookie = name === null ? undefined : this.cookies.get(ctx, name);
    const pending = await this.pendingSignIns.take(cookie ?? '', state);
    if (name === null || pending === null)
      throw new ApiError(
        'permission_denied',
        'The sign-in was started in another browser or too long ago. Start it again.',
      );
    this.cookies.set(ctx, name, null);
    const tokens = await this.exchangeCode(ctx, pending);
    const claims = tokens.claims();
    const person = personOf(claims ?? {}, this.settings.OIDC_ROLES_CLAIM);
    return { person, issuer: claims?.iss ?? '', idToken: tokens.id_token ?? '', next: pending.next };
  }

  /** Exchanges the authorization code in the request's address for tokens. @throws ApiError permission_denied, rate_limited */
  private async exchangeCode(ctx: Context, { verifier, state, nonce }: PendingSignIn) {
    const configuration = await this.configure();
    const network = this.addresses.addressOf(ctx.req);
    await this.exchanges.acquire(network);
    try {
      const waitSeconds = this.failures.check(network);
      if (waitSeconds !== null) throw tooManySignIns(waitSeconds);
      const address = new URL(`${CALLBACK_PATH}${ctx.search}`, this.settings.CONSOLE_URL);
      return await oidc.authorizationCodeGrant(configuration, address, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
    } catch (error) {
      if (error instanceof ApiError) throw error;
      this.failures.count(network);
      this.failureLog.warn({ err: error }, 'a sign-in failed');
      throw new ApiError('permission_denied', 'The sign-in was not completed. Start it again.');
    } finally {
      this.exchanges.release();
    }
  }

  /** Starts a session with a new ID, ends the earlier session of the browser, and redirects to the page that the person opened first. */
  startSession(ctx: Context, { person, idToken, next }: CompletedSignIn): void {
    const session = this.sessions.create(person, idToken, this.sessionIdOf(ctx));
    this.cookies.set(ctx, 'session', session.id);
    ctx.redirect(next);
  }

  private sessionIdOf(ctx: Context): string {
    return this.cookies.get(ctx, 'session') ?? '';
  }

  /** Ends the session in the console and at the identity provider. */
  async signOut(ctx: Context, session: Session): Promise<void> {
    this.sessions.end(session.id);
    this.cookies.set(ctx, 'session', null);
    const configuration = await this.configure().catch(() => null);
    const hasEnd = configuration?.serverMetadata().end_session_endpoint !== undefined;
    const target =
      configuration !== null && hasEnd
        ? oidc.buildEndSessionUrl(configuration, {
            id_token_hint: session.idToken,
            post_logout_redirect_uri: this.url(SIGNED_OUT_PATH),
          }).href
        : SIGNED_OUT_PATH;
    ctx.status = 303;
    ctx.redirect(target);
  }

  /** Returns whether the request has the origin of the console in its header Origin, or no such header. */
  isOwnOrigin(ctx: Context): boolean {
    const origin = ctx.get('origin');
    return origin === '' || origin === new URL(this.settings.CONSOLE_URL).origin;
  }

  /** Returns the path of the console's page from which a form was sent; `/` if the request does not name it. */
  pageOfForm(ctx: Context): string {
    const [, path] = /^https?:\/\/[^/]+(\/.*)$/.exec(ctx.get('referer')) ?? [];
    return localPath(path);
  }

  /** Checks that a form was sent from a page of the given session's person. @throws ApiError permission_denied */
  requireOwnForm(ctx: Context, session: Session, token: string | undefined): void {
    if (!this.isOwnOrigin(ctx) || token === undefined || !isFormToken(session, token))
      throw new ApiError(
        'permission_denied',
        'The form was not sent from a page of this session. Open the page again.',
      );
  }
}
