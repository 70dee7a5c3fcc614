/** All pages and acts of the console, in the order of the menu. */
import type { Act, Page } from '../page';
import { adjudicate, adjudicatePage, claim, requestInformation, reverse } from './claim';
import { claims } from './claims';
import { search, today } from './today';

export const PAGES: readonly Page[] = [today, search, claims, claim, adjudicatePage];

export const ACTS: readonly Act[] = [adjudicate, requestInformation, reverse];
