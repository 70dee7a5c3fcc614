/** The gateway process. */
import { loadConfig } from '@carecover/config';
import { runProcess } from '@carecover/process';
import { SETTINGS } from './settings';
import { startGateway } from './start';

runProcess('gateway', () => startGateway(loadConfig(SETTINGS)));
