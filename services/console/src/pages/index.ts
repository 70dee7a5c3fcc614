/** All pages and acts of the console, in the order of the menu. */
import type { Act, Page } from '../page';
import { claims } from './claims';

export const PAGES: readonly Page[] = [claims];

export const ACTS: readonly Act[] = [];
