/** The apps (MCP Apps): pages that a host shows with the result of a tool. */

const HOUR_MS = 3_600_000;

/** The picture of a claim's two times, and the triangle or the sums of a valuation run. Hosts without apps show the text of the result. */
const appNames = ['claim-slider', 'triangle'] as const;
export type AppName = (typeof appNames)[number];

/** Returns the URI of an app. */
export function appUri(name: AppName): string {
  return `ui://carecover/${name}`;
}

/** Returns the app with this URI; undefined if there is none. */
export function findApp(uri: string): AppName | undefined {
  return appNames.find((name) => appUri(name) === uri);
}

/** Returns the app as the contents of a resource. It needs no network. */
export function appContents(name: AppName, html: string) {
  const csp = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };
  return {
    contents: [
      {
        uri: appUri(name),
        mimeType: 'text/html;profile=mcp-app',
        text: html,
        _meta: { ui: { csp, prefersBorder: true } },
      },
    ],
    ttlMs: HOUR_MS,
    cacheScope: 'public' as const,
  };
}
