/**
 * The files that the pages load. Each address contains a hash of the content, so a browser can cache the file without a limit, and a
 * release that changes a file changes its address.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { GUIDES_FOLDER } from './guides-folder';
import { createStaticResponse, hashOf, type StaticResponse } from './static-response';

export interface Assets {
  /** By address. */
  readonly responses: ReadonlyMap<string, StaticResponse>;
  /** Returns the address of a file by its name. @throws RangeError if there is none */
  address(name: string): string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

/** The same path from `src` and `dist`. */
const OWN_FOLDER = join(__dirname, '../../assets');

function filesIn(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Reads every file. @throws Error if a file can't be read: the installation is incomplete */
export function readAssets(prefix: string): Assets {
  const files = [
    ...filesIn(OWN_FOLDER),
    ...filesIn(join(GUIDES_FOLDER, 'pictures')),
    require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    require.resolve('swagger-ui-dist/swagger-ui.css'),
  ];
  const addresses = new Map<string, string>();
  const responses = new Map<string, StaticResponse>();
  for (const file of files) {
    const bytes = readFileSync(file);
    const name = basename(file);
    const extension = extname(name);
    const type = TYPES[extension];
    if (type === undefined) throw new RangeError(`no media type for ${name}`);
    const address = `${prefix}/${basename(name, extension)}.${hashOf(bytes)}${extension}`;
    addresses.set(name, address);
    responses.set(
      address,
      createStaticResponse(type, bytes, {
        'Cache-Control': 'public, max-age=31536000, immutable',
        // Pictures contain a style element with their dark colors.
        'Content-Security-Policy': `default-src 'none'${extension === '.svg' ? "; style-src 'unsafe-inline'" : ''}`,
      }),
    );
  }
  return {
    responses,
    address(name) {
      const address = addresses.get(name);
      if (address === undefined) throw new RangeError(`no asset ${name}`);
      return address;
    },
  };
}
