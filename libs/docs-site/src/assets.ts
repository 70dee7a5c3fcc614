/**
 * The files that the pages load. Each address contains a hash of the content, so a browser can cache the file without a limit, and a
 * release that changes a file changes its address.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { GUIDES_FOLDER } from './guides-folder';

/** A page or an asset, and the headers with which it is served. */
export interface StaticFile {
  /** The media type. */
  readonly type: string;
  readonly content: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Assets {
  /** The files by their address. */
  readonly files: ReadonlyMap<string, StaticFile>;
  /** Returns the address of a file by its name. @throws RangeError if there is none */
  address(name: string): string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** The folder of this package's own assets. The path is the same from `src` and from `dist`. */
const OWN_FOLDER = join(__dirname, '../assets');

function filesIn(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Returns a short hash of the content. */
function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
}

/** Reads every file. @throws Error if a file can't be read: the installation is incomplete */
export function readAssets(prefix: string): Assets {
  const paths = [
    ...filesIn(OWN_FOLDER),
    ...filesIn(join(GUIDES_FOLDER, 'pictures')),
    require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    require.resolve('swagger-ui-dist/swagger-ui.css'),
  ];
  const addresses = new Map<string, string>();
  const files = new Map<string, StaticFile>();
  for (const path of paths) {
    const bytes = readFileSync(path);
    const name = basename(path);
    const extension = extname(name);
    const type = TYPES[extension];
    if (type === undefined) throw new RangeError(`no media type for ${name}`);
    const address = `${prefix}/${basename(name, extension)}.${hashOf(bytes)}${extension}`;
    addresses.set(name, address);
    files.set(address, {
      type,
      content: bytes,
      headers: {
        'Cache-Control': 'public, max-age=31536000, immutable',
        // SVG pictures contain a style element with the colors for dark mode.
        'Content-Security-Policy': `default-src 'none'${extension === '.svg' ? "; style-src 'unsafe-inline'" : ''}`,
      },
    });
  }
  return {
    files,
    address(name) {
      const address = addresses.get(name);
      if (address === undefined) throw new RangeError(`no asset ${name}`);
      return address;
    },
  };
}
