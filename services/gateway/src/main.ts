/** The gateway process. */
import { loadConfig, runProcess } from '@carecover/platform';
import { GATEWAY_SETTINGS } from './settings';
import { startGateway } from './start';

runProcess('gateway', () => startGateway(loadConfig(GATEWAY_SETTINGS)));
