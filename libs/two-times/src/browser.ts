/**
 * The script of a page with the picture. The page works without it, because the server renders the view of its address, and every link and form
 * leads to another view.
 */
import { startTwoTimes } from './interaction';

const root = document.querySelector<HTMLElement>('#two-times');
if (root !== null) startTwoTimes(root, 'page');
