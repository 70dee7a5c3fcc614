/** The frame of every page: skip link, head with the search, main part, menu. */
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Project } from './operations';
import { projectPath } from './page';
import { PagePlace, type Place } from './page-place';
import { FormToken, Instant, Status } from './parts';
import type { Session } from './sessions';
import { TimeZone } from './time-zone';

interface MenuEntry {
  readonly path: string;
  readonly label: string;
}

export interface Frame {
  readonly title: string;
  readonly body: ComponentChildren;
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  /** What the last act did, or why a form was rejected; it is shown first and has the focus. */
  readonly notice: ComponentChildren;
  readonly session: Session | null;
  readonly project: Project | null;
  /** The pages of the menu that the person can open. */
  readonly menu: readonly MenuEntry[];
  /** The path of the shown page below the address of its project; null if the page belongs to no project. */
  readonly path: string | null;
  /** The text of the search that the page shows; empty on other pages. */
  readonly query: string;
  /** The address of the page, to which its tables link as CSV; null if what is shown has no address. */
  readonly place: Place | null;
  /** Returns the address of a file in `assets/`. */
  readonly asset: (name: string) => string;
}

/**
 * Returns the value of `aria-current` for a menu entry: `page` for the shown page, `true` if the shown page is below the entry, such as a
 * claim below Claims, else undefined.
 */
function currentOf(entry: string, path: string | null): 'page' | 'true' | undefined {
  if (entry === path) return 'page';
  return path?.startsWith(`${entry}/`) ? 'true' : undefined;
}

function Menu({ project, menu, path }: { project: Project } & Pick<Frame, 'menu' | 'path'>) {
  return (
    <ul>
      {menu.map((entry) => (
        <li key={entry.path}>
          <a href={projectPath(project, entry.path)} aria-current={currentOf(entry.path, path)}>
            {entry.label}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The time of a project whose time is simulated, on each of its pages, with a link to the page that moves it. */
function Clock({ project }: { project: Project }) {
  const { clock } = project;
  if (clock == null) return null;
  return (
    <a class="clock" href={projectPath(project, '/clock')}>
      <span class="clock-name">Clock </span>
      <Instant at={clock.now} /> <Status value={clock.status} />
    </a>
  );
}

/** The head of a page: the search, which the key `/` reaches (`head.js`), and on a narrow screen the link to the menu below the content. */
function Header({ session, project, query }: Pick<Frame, 'session' | 'project' | 'query'>) {
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
      {project && <Clock project={project} />}
      {project && (
        <search class="search">
          <form method="get" action={projectPath(project, '/search')}>
            <input
              id="head-search"
              class="search-field"
              name="q"
              type="search"
              aria-label="Search"
              aria-keyshortcuts="/"
              placeholder="Invoice, payer, amount: /"
              value={query}
            />
          </form>
        </search>
      )}
      {session && (
        <a class="to-menu" href="#menu">
          Menu
        </a>
      )}
    </header>
  );
}

/**
 * The pages of a project and the person. They come after the content, which is therefore few stops from the start of the page; on a wide screen
 * they are shown beside it.
 */
function Side({ session, project, menu, path }: Pick<Frame, 'session' | 'project' | 'menu' | 'path'>) {
  return session === null ? null : (
    <footer class="side" id="menu" tabIndex={-1}>
      {project && (
        <nav aria-label="Pages">
          <Menu project={project} menu={menu} path={path} />
        </nav>
      )}
      <form class="person" method="post" action="/sign-out">
        <FormToken session={session} />
        <span>
          {session.email === null ? session.subject : `${session.subject} (${session.email})`}{' '}
          <span class="tag">{session.roles.join(', ')}</span>
        </span>
        <button type="submit">Sign out</button>
      </form>
    </footer>
  );
}

/** Renders a complete HTML document. */
export function renderDocument({
  title,
  body,
  notice,
  scripts = [],
  styles = [],
  asset,
  place,
  ...frame
}: Frame): string {
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Carecover console`}</title>
        <link rel="icon" type="image/svg+xml" href={asset('icon.svg')} />
        <link rel="stylesheet" href={asset('console.css')} />
        {styles.map((name) => (
          <link key={name} rel="stylesheet" href={asset(name)} />
        ))}
        {[...(frame.project === null ? [] : ['head.js']), ...scripts].map((name) => (
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
        <Side {...frame} />
      </body>
    </html>
  );
  const timeZone = frame.project?.time_zone ?? 'UTC';
  const rendered = renderToString(
    <TimeZone.Provider value={timeZone}>
      <PagePlace.Provider value={place}>{document}</PagePlace.Provider>
    </TimeZone.Provider>,
  );
  return `<!doctype html>\n${rendered}`;
}
