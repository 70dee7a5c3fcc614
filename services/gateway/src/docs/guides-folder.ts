/** Where the guides lie: in the repository's `docs`, which an image carries too, at the same place from `src` and `dist`. */
import { join } from 'node:path';

export const GUIDES_FOLDER = join(__dirname, '../../../../docs/guides');
