/**
 * The Koa application of the console.
 *
 * Failure policy: closed. A page needs a sign-in session and the page's permission. A resource of another project, and a page without
 * permission, are shown as not found. An error page shows the message of an ApiError, which a client of the API may see, and for any other
 * error only the request's ID. Requests are limited per person, and without a session per network of clients: further ones get 429.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { errorStatus } from '@carecover/contract';
import { ApiError, isRejection, notFound } from '@carecover/domain';
import { type ClientAddress, checkRequestHead, MIN_COMPRESSED_BYTES, prefersGzip } from '@carecover/http';
import {
  FailureLog,
  type HttpMetrics,
  isTracing,
  type Log,
  MinuteLimiter,
  traceRequests,
} from '@carecover/telemetry';
import Router from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import { LRUCache } from 'lru-cache';
import { Assets } from './assets';
import { writeCsv } from './csv';
import { FormReader, type Preview, rejectionOf } from './form-reader';
import { Done, PreviewPage, Rejection } from './forms';
import { type Frame, renderDocument } from './layout';
import { createMcpDoor } from './mcp';
import { PersonsCalls, type ProjectNow, type Services } from './operations';
import {
  type Act,
  type Download,
  type Executed,
  type Page,
  type PageContent,
  type PageRequest,
  projectPath,
} from './page';
import { ACTS, DOWNLOADS, PAGES } from './pages';
import { Older, SendAfterSignIn, SendAgain } from './parts';
import type { Person } from './person';
import { permits } from './roles';
import type { Session } from './sessions';
import type { SignIn } from './sign-in';
import { findTable } from './table-csv';
import { readForm, Uploads } from './uploads';

export interface ConsoleOptions {
  readonly services: Services;
  readonly signIn: SignIn;
  readonly addresses: ClientAddress;
  readonly temporalUi: string | null;
  /** The public origin of the console. */
  readonly origin: string;
  /** The claim of tokens that lists a person's roles. */
  readonly rolesClaim: string;
  readonly hsts: boolean;
  readonly metrics: HttpMetrics;
  readonly log: Log;
}

const PROJECTS_SHOWN = 50;
const MAX_SENT_KEYS = 10_000;
/**
 * How long in milliseconds a repeated form gets the result of the first. The browser shows only the answer to the last of two clicks, and a
 * new secret is in no later answer.
 */
const RESULT_MS = 60_000;
const MAX_RESULTS = 1_000;
/** The most fields of a form that is kept after the end of its session: a selection on a page, and what is typed beside it. */
const MAX_KEPT_FIELDS = 1_000;
/**
 * The requests of a person, in all sessions. One page calls several services.
 * Without the limit, a script in one sign-in session could slow down the API.
 */
const REQUESTS_PER_MINUTE = 600;
/**
 * The requests without a session, per network of clients. A sign-in sends three, and all people of an office can have one address. The requests
 * of people who have signed in are not counted.
 */
const REQUESTS_WITHOUT_SESSION_PER_MINUTE = 300;

/**
 * Returns the headers of every response. The Content-Security-Policy allows no inline scripts or styles, and no scripts or styles of
 * another origin.
 */
function securityHeaders(formTargets: string, hsts: boolean): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      `form-action ${formTargets}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    ...(hsts ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  };
}

const gzipAsync = promisify(gzip);

/**
 * Compresses a page. The compressed page is a buffer and not a stream, which would keep its memory if the connection was lost while the
 * response waited for an earlier one (HTTP/1.1 pipelining).
 */
async function compress(ctx: Context): Promise<void> {
  const { body } = ctx;
  if (typeof body !== 'string') return;
  ctx.vary('Accept-Encoding');
  if (Buffer.byteLength(body) < MIN_COMPRESSED_BYTES) return;
  if (!prefersGzip(ctx)) return;
  ctx.body = await gzipAsync(body);
  ctx.set('Content-Encoding', 'gzip');
}

class Console {
  private readonly assets = new Assets();
  private readonly limiter = new MinuteLimiter(REQUESTS_PER_MINUTE);
  private readonly limiterWithoutSession = new MinuteLimiter(REQUESTS_WITHOUT_SESSION_PER_MINUTE);
  /**
   * The idempotency keys of the forms that persons have sent for a {@link GatewayAct}. A further form with one of these keys is rejected.
   */
  private readonly sentKeys = new LRUCache<string, true>({ max: MAX_SENT_KEYS });
  /** The results of sent forms for a short time, by session and form. They can contain secrets, so they are deleted then. */
  private readonly results = new LRUCache<string, Promise<Executed | PageContent>>({
    max: MAX_RESULTS,
    ttl: RESULT_MS,
    ttlAutopurge: true,
  });

  /** What the last act of a session did, by session and path of the page that shows it. */
  private readonly notices = new LRUCache<string, string>({ max: MAX_SENT_KEYS, ttl: RESULT_MS });
  /** What forms suggest, by session and project. */
  private readonly memories = new LRUCache<string, Map<string, string>>({ max: MAX_RESULTS });
  /** The forms whose effect a person has confirmed, by session and fields. */
  private readonly confirmed = new LRUCache<string, true>({ max: MAX_SENT_KEYS });
  /** The forms that were sent and whose result is not known, by session and fields. */
  private readonly unknown = new LRUCache<string, true>({ max: MAX_SENT_KEYS });
  private readonly uploads = new Uploads();

  constructor(private readonly options: ConsoleOptions) {}

  /** Sends an HTML page in the frame of the console: head, menu and main part. */
  show(
    ctx: Context,
    content: PageContent,
    frame: Partial<Pick<Frame, 'session' | 'project' | 'path' | 'notice' | 'place'>> = {},
  ): void {
    const { session = null, project = null, path = null, notice = null, place = null } = frame;
    const menu = PAGES.flatMap(({ menu: label, path: pagePath, permission }) =>
      label !== undefined && session !== null && permits(session.roles, permission)
        ? [{ path: pagePath, label }]
        : [],
    );
    ctx.type = 'text/html; charset=utf-8';
    const query = path === '/search' ? (new URLSearchParams(ctx.querystring).get('q') ?? '') : '';
    const { address: asset } = this.assets;
    ctx.body = renderDocument({ ...content, session, project, menu, path, query, notice, place, asset });
  }

  /**
   * Shows why a request failed. An unexpected error shows only the request's ID, by which operators find it in the log.
   *
   * @param failed the form of an act whose result is not known. The page can send it again with the same idempotency key: a new key could
   *   execute the act a second time, and a later execution of the first could replace a correction
   */
  private showError(
    ctx: Context,
    error: unknown,
    failed: { readonly form: URLSearchParams; readonly isUnchanged: boolean } | null = null,
  ): void {
    const { log, signIn } = this.options;
    const session = signIn.session(ctx) ?? null;
    const again = failed !== null && session !== null && (
      <SendAgain path={ctx.path} session={session} {...failed} />
    );
    if (!(error instanceof ApiError)) {
      log.error({ err: error, request_id: ctx.state.requestId }, 'internal error');
      ctx.status = 500;
      const body = (
        <>
          <p>
            The page could not be shown. The error was recorded under the request ID{' '}
            <code>{String(ctx.state.requestId ?? 'none')}</code>.
          </p>
          {again}
        </>
      );
      this.show(ctx, { title: 'Error', body }, { session, ...ctx.state.frame });
      return;
    }
    ctx.status = errorStatus(error.code);
    if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
    const title = ctx.status === 404 ? 'Not found' : ctx.status === 403 ? 'Not allowed' : 'Error';
    const start =
      session === null ? { href: '/sign-in', label: 'Sign in' } : { href: '/', label: 'All projects' };
    this.show(
      ctx,
      {
        title,
        body: (
          <>
            <p>{error.message}</p>
            {again}
            <p>
              <a href={start.href}>{start.label}</a>
            </p>
          </>
        ),
      },
      { session, ...ctx.state.frame },
    );
  }

  readonly handleErrors = async (ctx: Context, next: Next): Promise<void> => {
    const { signIn, hsts, metrics } = this.options;
    const startedMs = performance.now();
    ctx.set(securityHeaders(signIn.formTargets, hsts));
    try {
      this.limitWithoutSession(ctx);
      checkRequestHead(ctx);
      if (this.assets.serve(ctx)) return;
      await next();
      if (ctx.status === 404 && ctx.body === undefined) throw notFound();
    } catch (error) {
      this.showError(ctx, error);
    }
    metrics.observe(describeRequest(ctx).operation ?? 'none', ctx.status, performance.now() - startedMs);
    setServerTiming(ctx);
    await compress(ctx);
  };

  /** Counts a request without a session. @throws ApiError rate_limited if its network has sent too many of them in this minute */
  private limitWithoutSession(ctx: Context): void {
    const { signIn, addresses } = this.options;
    if (signIn.session(ctx) !== undefined) return;
    const waitSeconds = this.limiterWithoutSession.count(addresses.addressOf(ctx.req));
    if (waitSeconds === null) return;
    const reason = `Too many requests without a sign-in came from this address. Try again in ${waitSeconds} seconds.`;
    throw new ApiError('rate_limited', reason, waitSeconds);
  }

  /**
   * Returns the person's sign-in session. Without one, redirects a GET request to the sign-in and returns null.
   *
   * @throws ApiError permission_denied for any other method without a session
   */
  private requireSession(ctx: Context): Session | null {
    const session = this.options.signIn.session(ctx);
    if (session !== undefined) return session;
    if (ctx.method !== 'GET')
      throw new ApiError('permission_denied', 'Your session has ended. Sign in, and send the form again.');
    ctx.redirect(`/sign-in?next=${encodeURIComponent(ctx.url)}`);
    return null;
  }

  /**
   * Returns the object that executes operations of the API for the signed-in person, and counts the request.
   *
   * @throws ApiError rate_limited if the person has sent too many requests in this minute
   */
  readonly callsOf = (ctx: Context, person: Person): PersonsCalls => {
    const waitSeconds = this.limiter.count(person.subject);
    if (waitSeconds !== null) {
      const reason = `You sent too many requests. Try again in ${waitSeconds} seconds.`;
      throw new ApiError('rate_limited', reason, waitSeconds);
    }
    const calls = new PersonsCalls(this.options.services, person);
    ctx.state.requestId = calls.requestId;
    ctx.state.calls = calls;
    return calls;
  };

  /** `GET /`: the projects. */
  readonly start = async (ctx: Context): Promise<void> => {
    const session = this.requireSession(ctx);
    if (session === null) return;
    const query = new URLSearchParams(ctx.querystring);
    const projects = await this.callsOf(ctx, session).projects(PROJECTS_SHOWN, query.get('after'));
    const first = PAGES[0]?.path ?? '';
    this.show(
      ctx,
      {
        title: 'Projects',
        body: (
          <>
            <ul class="projects">
              {projects.data.map((project) => (
                <li key={project.id}>
                  <a href={`/projects/${project.id}${first}`}>{project.name}</a> <code>{project.id}</code>
                </li>
              ))}
            </ul>
            <Older list={projects} address="/" query={query} items="projects" />
          </>
        ),
      },
      { session },
    );
  };

  private async requestOf(ctx: Context, session: Session, page: Page | null): Promise<PageRequest> {
    const calls = this.callsOf(ctx, session);
    const { project: id = '', ...params } = ctx.params as Record<string, string>;
    const { now, ...project }: ProjectNow = await calls.project(id);
    // An error page that follows has the same head and menu.
    ctx.state.frame = { project, path: page?.path ?? null };
    const query = new URLSearchParams(ctx.querystring);
    const address = projectPath(project, pathOf(page?.path ?? '', params));
    const { temporalUi } = this.options;
    const memory = this.memoryOf(`${session.id} ${project.id}`);
    const nothing = { rejected: null, file: null };
    return { session, calls, project, now, params, query, address, memory, temporalUi, ...nothing };
  }

  /** Returns what forms suggest in a session and project. */
  private memoryOf(key: string): Map<string, string> {
    const memory = this.memories.get(key) ?? new Map<string, string>();
    this.memories.set(key, memory);
    return memory;
  }

  /** `GET` of an unknown page of a project. */
  readonly unknownPage = async (ctx: Context): Promise<void> => {
    const session = this.requireSession(ctx);
    if (session === null) return;
    await this.requestOf(ctx, session, null);
    throw notFound();
  };

  readonly page =
    (page: Page) =>
    async (ctx: Context): Promise<void> => {
      const session = this.requireSession(ctx);
      if (session === null) return;
      if (!permits(session.roles, page.permission)) return this.unknownPage(ctx);
      const request = await this.requestOf(ctx, session, page);
      const content = await page.render(request);
      const { project, address, query } = request;
      const name = query.get('csv') ?? '';
      const table = content.csv?.get(name)?.() ?? (name === '' ? undefined : findTable(content.body, name));
      if (table !== undefined) {
        ctx.type = 'text/csv; charset=utf-8';
        ctx.set('Content-Disposition', `attachment; filename="${name}.csv"`);
        ctx.body = writeCsv(table);
        return;
      }
      const done = this.takeNotice(session, address);
      const notice = done === undefined ? null : <Done text={done} />;
      this.show(ctx, content, { session, project, path: page.path, notice, place: request });
    };

  readonly download =
    (download: Download) =>
    async (ctx: Context): Promise<void> => {
      const session = this.requireSession(ctx);
      if (session === null) return;
      if (!permits(session.roles, download.permission)) return this.unknownPage(ctx);
      const request = await this.requestOf(ctx, session, null);
      const stream = await download.open(request);
      ctx.type = `${download.mediaType}; charset=utf-8`;
      ctx.set('Content-Disposition', `attachment; filename="${download.nameOf(request.params)}"`);
      ctx.body = stream;
    };

  /** Returns the sentence that the last act left for the page, once. */
  private takeNotice(session: Session, address: string): string | undefined {
    const key = `${session.id} ${address}`;
    const done = this.notices.get(key);
    this.notices.delete(key);
    return done;
  }

  /**
   * Executes an act once per form: the same form within {@link RESULT_MS} gets the same result, because the browser shows only the answer to
   * the last of two clicks. A later form of a {@link GatewayAct} with the same key, and one without a key, are rejected; a service recognizes a
   * repeated key itself, so another form that failed can be sent again.
   *
   * @throws ApiError idempotency_conflict
   */
  private executeOnce(
    act: Act,
    request: PageRequest,
    form: URLSearchParams,
  ): Promise<Executed | PageContent> {
    const key = form.get('key') ?? '';
    const isOfGateway = act.action === null;
    const { session, project, params } = request;
    const place = `${session.subject} ${project.id} ${act.path} ${JSON.stringify(params)}`;
    const id = `${place} ${isOfGateway ? key : form}`;
    const earlier = this.results.get(id);
    if (earlier !== undefined) return earlier;
    if (isOfGateway) {
      if (key === '' || this.sentKeys.has(key))
        throw new ApiError('idempotency_conflict', 'The form was sent before. Open its page again.');
      this.sentKeys.set(key, true);
    }
    const result = this.execute(act, request, form);
    if (key === '') return result;
    this.results.set(id, result);
    // The caller handles the rejection; here it only ends the wait.
    if (!isOfGateway) result.catch(() => this.results.delete(id));
    return result;
  }

  /** Records the act in the audit log unless the gateway does, and executes it. */
  private async execute(
    act: Act,
    request: PageRequest,
    form: URLSearchParams,
  ): Promise<Executed | PageContent> {
    const { project, calls, params } = request;
    if (act.action !== null) {
      const { subject, details } = act.describe({ ...params, project: project.id }, form);
      const context = { project_id: project.id, ...details, request_id: calls.requestId };
      await calls.record(act.action, subject, context);
    }
    return act.execute(request, new FormReader(form, request));
  }

  /**
   * Shows a form that was sent without a session, so that the person can send it again after the sign-in. Nothing is executed, and the page gives no
   * new token: what it sends again has the token with which it came.
   */
  private async showEnded(ctx: Context, act: Act): Promise<void> {
    const { signIn } = this.options;
    const isForm = !act.takesFile && signIn.isOwnOrigin(ctx) && ctx.is('urlencoded') !== false;
    const sent = isForm ? await readForm(ctx) : null;
    // A page has neither more fields nor a form without a token, and this page costs time for each field.
    const form = sent?.has('csrf') === true && sent.size <= MAX_KEPT_FIELDS ? sent : null;
    ctx.status = errorStatus('permission_denied');
    const { project = '', ...params } = ctx.params as Record<string, string>;
    const sentFrom = signIn.pageOfForm(ctx);
    // A preview and a rejected form have the address of the act, which is no page.
    const next = sentFrom === ctx.path ? `/projects/${project}${pathOf(act.page.path, params)}` : sentFrom;
    this.show(ctx, { title: 'Not allowed', body: <SendAfterSignIn path={ctx.path} {...{ form, next }} /> });
  }

  readonly act =
    (act: Act) =>
    async (ctx: Context): Promise<void> => {
      const { signIn } = this.options;
      const session = signIn.session(ctx);
      if (session === undefined) return this.showEnded(ctx, act);
      if (!permits(session.roles, act.permission)) throw notFound();
      const form = act.takesFile ? await this.uploads.readForm(ctx, session.id) : await readForm(ctx);
      signIn.requireOwnForm(ctx, session, form.get('csrf') ?? undefined);
      form.delete('csrf');
      const file = act.takesFile ? this.uploads.fileOf(form, session.id) : null;
      const request = { ...(await this.requestOf(ctx, session, act.page)), file };
      const { project } = request;
      const frame = { session, project, path: act.page.path };
      // The person's next session goes on with what was confirmed, or has an unknown result, in this one.
      const key = `${session.subject} ${ctx.path} ${form}`;
      if (form.has('change')) {
        const rejected = { form, problems: [], message: null };
        const content = await act.page.render({ ...request, rejected });
        return this.show(ctx, content, { ...frame, place: request });
      }
      // A form that is sent twice is not shown the effect again, which would be that of a second act.
      if (act.preview !== undefined && !this.confirmed.has(key)) {
        let preview: Preview;
        try {
          preview = await act.preview(request, new FormReader(form, request));
        } catch (error) {
          return this.showRejected(ctx, { act, request, form, error, isUnchanged: true, wasSent: false });
        }
        if (form.get('confirmed') !== preview.basis) return this.showPreview(ctx, frame, form, preview);
        this.confirmed.set(key, true);
      }
      let result: Executed | PageContent;
      try {
        result = await this.executeOnce(act, request, form);
      } catch (error) {
        const wasSent = this.unknown.has(key);
        if (!isRejection(error)) this.unknown.set(key, true);
        return this.showRejected(ctx, { act, request, form, error, isUnchanged: false, wasSent });
      }
      if (!('path' in result)) return this.show(ctx, result, frame);
      const address = `/projects/${project.id}${result.path}`;
      // The page takes the sentence by its path: a result can be a page with a filter.
      this.notices.set(`${session.id} ${address.split('?')[0]}`, result.done);
      ctx.status = 303;
      ctx.redirect(address);
    };

  /**
   * Shows the form of an act again with what is wrong. If the result of the act is not known, shows an error page that can send the form again.
   *
   * @param isUnchanged whether nothing was changed for sure, because the act was not executed yet
   * @param wasSent whether the form was sent before with a result that is not known
   * @throws the error if the resource of the page does not exist
   */
  private async showRejected(
    ctx: Context,
    {
      act,
      request,
      form,
      error,
      isUnchanged,
      wasSent,
    }: {
      act: Act;
      request: PageRequest;
      form: URLSearchParams;
      error: unknown;
      isUnchanged: boolean;
      wasSent: boolean;
    },
  ): Promise<void> {
    if (!isRejection(error)) {
      if (act.action !== null) return this.showError(ctx, error, { form, isUnchanged });
      throw error;
    }
    if (error.code === 'resource_not_found') throw error;
    ctx.status = errorStatus(error.code);
    const { labels = {}, fieldOf = ([name = '']) => (name in labels ? name : undefined) } = act;
    const rejected = rejectionOf(error, form, fieldOf);
    const labelOf = (field: string) => act.labelOf?.(field) ?? labels[field];
    const notice = <Rejection {...{ rejected, labelOf, wasSent }} />;
    const { session, project } = request;
    const content = await act.page.render({ ...request, rejected });
    this.show(ctx, content, { session, project, path: act.page.path, notice, place: request });
  }

  /** Shows what an act would change. The response is no error, and nothing was changed. */
  private showPreview(
    ctx: Context,
    frame: Pick<Frame, 'project' | 'path'> & { readonly session: Session },
    form: URLSearchParams,
    preview: Preview,
  ): void {
    const { session } = frame;
    const hasChanged = (form.get('confirmed') ?? '') !== '';
    const body = <PreviewPage path={ctx.path} {...{ preview, session, form, hasChanged }} />;
    this.show(ctx, { title: preview.title, body }, frame);
  }

  /**
   * `GET /sign-in/callback`: starts the session of a person who signed in at the identity provider. The entry in the audit log has the
   * verified e-mail address; the person's later entries have only the subject.
   */
  readonly completeSignIn = async (ctx: Context): Promise<void> => {
    const { signIn } = this.options;
    const completed = await signIn.complete(ctx);
    const { issuer, person } = completed;
    const { subject, email, roles } = person;
    const calls = this.callsOf(ctx, person);
    await calls.record('console.sign_in', subject, { issuer, email, roles, request_id: calls.requestId });
    signIn.startSession(ctx, completed);
  };

  readonly signOut = async (ctx: Context): Promise<void> => {
    const session = this.requireSession(ctx);
    if (session === null) return;
    const form = await readForm(ctx);
    this.options.signIn.requireOwnForm(ctx, session, form.get('csrf') ?? undefined);
    await this.options.signIn.signOut(ctx, session);
  };

  readonly signedOut = async (ctx: Context): Promise<void> => {
    const body = (
      <p>
        <a href="/sign-in">Sign in</a>
      </p>
    );
    this.show(ctx, { title: 'Signed out', body });
  };
}

/** Returns the path of a page with the values of its parameters. */
function pathOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** Sets the header Server-Timing (W3C): how many milliseconds the page waited for services. */
function setServerTiming(ctx: Context): void {
  const { calls } = ctx.state;
  if (calls instanceof PersonsCalls)
    ctx.set('Server-Timing', `services;dur=${calls.serviceMs.toFixed(1)};desc="Requests to services"`);
}

/** Describes a request in metrics and traces. The operation of a page or an act is its route, such as `GET /projects/:project/claims`. */
function describeRequest(ctx: Context) {
  const route: unknown = ctx.routerPath;
  return {
    operation: typeof route === 'string' ? `${ctx.method} ${route}` : undefined,
    requestId: String(ctx.state.requestId ?? ''),
  };
}

/** Creates the Koa application with all pages and acts. */
export function createConsole(options: ConsoleOptions): Koa {
  const site = new Console(options);
  const { signIn } = options;
  const router = new Router();
  router.get('/', site.start);
  router.get('/sign-in', (ctx: Context) => signIn.start(ctx));
  router.get('/sign-in/callback', site.completeSignIn);
  router.get('/signed-out', site.signedOut);
  router.post('/sign-out', site.signOut);
  for (const page of PAGES) router.get(`/projects/:project${page.path}`, site.page(page));
  for (const download of DOWNLOADS) router.get(`/projects/:project${download.path}`, site.download(download));
  for (const act of ACTS) router.post(`/projects/:project${act.path}`, site.act(act));
  router.get('/projects/:project/*path', site.unknownPage);
  const app = new Koa();
  if (isTracing()) app.use(traceRequests(true, describeRequest));
  const { services, hsts, metrics, log, ...others } = options;
  const { signer } = services;
  app.use(createMcpDoor({ ...others, signer, hsts, metrics, log, callsOf: site.callsOf }));
  app.use(site.handleErrors);
  app.use(router.routes());
  const failureLog = new FailureLog(options.log);
  app.on('error', (error: unknown) => failureLog.warn({ err: error }, 'connection error'));
  return app;
}
