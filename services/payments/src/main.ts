/** The process of the payments service: `main.js [server] [worker]`; both roles if none is named. */
import { loadConfig, runProcess } from '@carecover/platform';
import { startPayments } from './build';
import { SETTINGS } from './settings';

runProcess('payments', async (roles) => startPayments(loadConfig(SETTINGS), roles));
