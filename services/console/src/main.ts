/** The console process. */
import { loadConfig } from '@carecover/config';
import { runProcess } from '@carecover/process';
import { SETTINGS } from './settings';
import { startConsole } from './start';

runProcess('console', () => startConsole(loadConfig(SETTINGS)));
