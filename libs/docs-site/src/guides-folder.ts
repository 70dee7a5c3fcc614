/** The folder of the guides in the repository's `docs`. A container image has the folder at the same path, from `src` and from `dist`. */
import { join } from 'node:path';

export const GUIDES_FOLDER = join(__dirname, '../../../docs/guides');
