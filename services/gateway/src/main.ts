/** The gateway process. */
import { loadConfig, runProcess } from '@carecover/platform';
import { SETTINGS } from './settings';
import { startGateway } from './start';

runProcess('gateway', () => startGateway(loadConfig(SETTINGS)));
