/**
 * Sign-in by OpenID Connect: authorization code flow with PKCE (RFC 7636), state and nonce. The verifier, state and nonce of an unfinished
 * sign-in are in a cookie of the browser, so they use no memory of the process.
 *
 * Failure policy: closed. Without the identity provider no person can sign in; existing sign-in sessions continue.
 */
import { ApiError, type Log, unavailable } from '@carecover/platform';
import type { Context } from 'koa';
import * as oidc from 'openid-client';
import { rolesIn } from './roles';
import { isFormToken, type Session, Sessions } from './sessions';
import type { Settings } from './settings';

const SIGN_IN_LIFETIME_MS = 10 * 60_000;
const CALLBACK_PATH = '/sign-in/callback';
const SIGNED_OUT_PATH = '/signed-out';

/** Returns the path to show after the sign-in: only a path of this site, never another origin. */
function localPath(text: unknown): string {
  return typeof text === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && text.length < 1_000
    ? text
    : '/';
}

export class SignIn {
  private readonly sessions = new Sessions();
  private configuration: Promise<oidc.Configuration> | undefined;
  private readonly isSecure: boolean;

  constructor(
    private readonly settings: Settings,
    private readonly log: Log,
  ) {
    this.isSecure = settings.CONSOLE_URL.startsWith('https:');
  }

  /** The sources of `form-action` in the Content-Security-Policy: this site, and the identity provider, to which the sign-out redirects. */
  get formTargets(): string {
    return `'self' ${new URL(this.settings.OIDC_ISSUER).origin}`;
  }

  /** Returns the cookie's name. The prefix `__Host-` binds a cookie to exactly this host and to TLS. */
  private cookie(name: string): string {
    return this.isSecure ? `__Host-${name}` : name;
  }

  private setCookie(ctx: Context, name: string, value: string | null, maxAgeMs?: number): void {
    ctx.cookies.set(this.cookie(name), value, {
      httpOnly: true,
      sameSite: 'lax',
      secure: this.isSecure,
      overwrite: true,
      path: '/',
      ...(maxAgeMs === undefined ? {} : { maxAge: maxAgeMs }),
    });
  }

  private url(path: string): string {
    return new URL(path, this.settings.CONSOLE_URL).href;
  }

  /** Reads the identity provider's metadata once. After a failure, the next sign-in repeats the request. */
  private configure(): Promise<oidc.Configuration> {
    const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, CARECOVER_MODE } = this.settings;
    this.configuration ??= oidc
      .discovery(new URL(OIDC_ISSUER), OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, undefined, {
        timeout: 10,
        ...(CARECOVER_MODE === 'production' ? {} : { execute: [oidc.allowInsecureRequests] }),
      })
      .catch((error: unknown) => {
        this.configuration = undefined;
        this.log.warn({ err: error }, 'the identity provider is unavailable');
        throw unavailable('The identity provider');
      });
    return this.configuration;
  }

  session(ctx: Context): Session | undefined {
    return this.sessions.find(ctx.cookies.get(this.cookie('session')) ?? '');
  }

  /** Redirects to the identity provider. */
  async start(ctx: Context): Promise<void> {
    const configuration = await this.configure();
    const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()];
    const pending = Buffer.from(JSON.stringify({ verifier, state, nonce, next: localPath(ctx.query.next) }));
    this.setCookie(ctx, 'sign-in', pending.toString('base64url'), SIGN_IN_LIFETIME_MS);
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

  /** Completes the sign-in. @throws ApiError permission_denied if it can't be completed or the person has no role */
  async complete(ctx: Context): Promise<void> {
    const configuration = await this.configure();
    const pending = this.readPending(ctx);
    this.setCookie(ctx, 'sign-in', null);
    let tokens: Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;
    try {
      tokens = await oidc.authorizationCodeGrant(configuration, new URL(ctx.url, this.settings.CONSOLE_URL), {
        pkceCodeVerifier: pending.verifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      });
    } catch (error) {
      this.log.warn({ err: error }, 'a sign-in failed');
      throw new ApiError('permission_denied', 'The sign-in was not completed. Start it again.');
    }
    const claims = tokens.claims();
    const roles = rolesIn(claims?.[this.settings.OIDC_ROLES_CLAIM]);
    const name = claims?.email ?? claims?.sub;
    if (roles.length === 0 || typeof name !== 'string')
      throw new ApiError(
        'permission_denied',
        'Your account has no role in the console. An administrator of the identity provider assigns roles.',
      );
    const session = this.sessions.create({ name, roles }, tokens.id_token ?? '');
    this.setCookie(ctx, 'session', session.id);
    ctx.redirect(pending.next);
  }

  private readPending(ctx: Context) {
    try {
      const text = Buffer.from(ctx.cookies.get(this.cookie('sign-in')) ?? '', 'base64url').toString('utf8');
      const { verifier, state, nonce, next } = JSON.parse(text);
      return {
        verifier: String(verifier),
        state: String(state),
        nonce: String(nonce),
        next: localPath(next),
      };
    } catch {
      throw new ApiError(
        'permission_denied',
        'The sign-in was started in another browser or too long ago. Start it again.',
      );
    }
  }

  /** Ends the session in the console and at the identity provider. */
  async signOut(ctx: Context, session: Session): Promise<void> {
    this.sessions.end(session.id);
    this.setCookie(ctx, 'session', null);
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

  /** Checks that a form was sent from a page of the given session. @throws ApiError permission_denied */
  requireOwnForm(ctx: Context, session: Session, token: string | undefined): void {
    const origin = ctx.get('origin');
    const isOwnOrigin = origin === '' || origin === new URL(this.settings.CONSOLE_URL).origin;
    if (!isOwnOrigin || token === undefined || !isFormToken(session, token))
      throw new ApiError(
        'permission_denied',
        'The form was not sent from a page of this session. Open the page again.',
      );
  }
}
