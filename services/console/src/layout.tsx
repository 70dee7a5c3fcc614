/** The frame of every page: head, skip link, menu, main part. */
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Project } from './operations';
import { projectPath } from './page';
import { formToken, type Session } from './sessions';
import { TimeZone } from './time-zone';

interface MenuEntry {
  readonly path: string;
  readonly label: string;
}

export interface Frame {
  readonly title: string;
  readonly body: ComponentChildren;
  readonly scripts?: readonly string[];
  /** What the last act did, or why a form was rejected; it is shown first and has the focus. */
  readonly notice: ComponentChildren;
  readonly session: Session | null;
  readonly project: Project | null;
  /** The pages of the menu that the person can open. */
  readonly menu: readonly MenuEntry[];
  /** The path of the shown page below the address of its project; null if the page belongs to no project. */
  readonly path: string | null;
  /** Returns the address of a file in `assets/`. */
  readonly asset: (name: string) => string;
}

/** The hidden field, in every form of a session, with the token that protects against cross-site request forgery. */
export function FormToken({ session }: { session: Session }) {
  return <input type="hidden" name="csrf" value={formToken(session)} />;
}

/**
 * Returns the value of `aria-current` for a menu entry: `page` for the shown page, `true` if the shown page is below the entry, such as a
 * claim below Claims, else undefined.
 */
function currentOf(entry: string, path: string | null): 'page' | 'true' | undefined {
  if (entry === path) return 'page';
  return path?.startsWith(`${entry}/`) ? 'true' : undefined;
}

function Header({ session, project, menu, path }: Pick<Frame, 'session' | 'project' | 'menu' | 'path'>) {
  return (
    <header class="top">
      <a class="brand" href="/">
        Carecover
      </a>
      {project && (
        <a class="project" href="/">
          {project.name} <span class="tag">{project.environment}</span>
        </a>
      )}
      {session && (
        <form class="person" method="post" action="/sign-out">
          <FormToken session={session} />
          <span>
            {session.email === null ? session.subject : `${session.subject} (${session.email})`}{' '}
            <span class="tag">{session.roles.join(', ')}</span>
          </span>
          <button type="submit">Sign out</button>
        </form>
      )}
      {project && (
        <nav aria-label="Pages">
          <ul>
            {menu.map((entry) => (
              <li key={entry.path}>
                <a href={projectPath(project, entry.path)} aria-current={currentOf(entry.path, path)}>
                  {entry.label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </header>
  );
}

/** Renders a complete HTML document. */
export function renderDocument({ title, body, notice, scripts = [], asset, ...frame }: Frame): string {
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Carecover console`}</title>
        <link rel="icon" type="image/svg+xml" href={asset('icon.svg')} />
        <link rel="stylesheet" href={asset('console.css')} />
        {scripts.map((name) => (
          <script key={name} type="module" src={asset(name)} />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Header {...frame} />
        <main id="content" tabIndex={-1}>
          <h1>{title}</h1>
          {notice}
          {body}
        </main>
      </body>
    </html>
  );
  const timeZone = frame.project?.time_zone ?? 'UTC';
  return `<!doctype html>\n${renderToString(<TimeZone.Provider value={timeZone}>{document}</TimeZone.Provider>)}`;
}
