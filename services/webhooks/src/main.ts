/** The process of the webhooks service: `main.js [server] [worker]`; both roles if none is named. */
import { loadConfig, runProcess } from '@carecover/platform';
import { startWebhooks } from './build';
import { SETTINGS } from './settings';

runProcess('webhooks', async (roles) => startWebhooks(loadConfig(SETTINGS), roles));
