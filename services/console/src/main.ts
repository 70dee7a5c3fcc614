/** The console process. */
import { loadConfig, runProcess } from '@carecover/platform';
import { SETTINGS } from './settings';
import { startConsole } from './start';

runProcess('console', () => startConsole(loadConfig(SETTINGS)));
