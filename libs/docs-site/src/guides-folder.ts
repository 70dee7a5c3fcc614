/** The folder of the guides, in the repository and in a container image. Its path relative to `src` and to `dist` is the same. */
import { join } from 'node:path';

export const GUIDES_FOLDER = join(__dirname, '../../../docs/guides');
