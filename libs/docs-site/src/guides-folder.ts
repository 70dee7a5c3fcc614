/** The folder of the guides in the repository's `docs`. An image contains it at the same path from `src` and `dist`. */
import { join } from 'node:path';

export const GUIDES_FOLDER = join(__dirname, '../../../docs/guides');
