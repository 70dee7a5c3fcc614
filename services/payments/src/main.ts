/** The process of the payments service: `main.js [server] [worker]`; both roles if none is named. */
import { loadConfig } from '@carecover/config';
import { runProcess } from '@carecover/process';
import { startPayments } from './build';
import { SETTINGS } from './settings';

runProcess('payments', async (roles) => startPayments(loadConfig(SETTINGS), roles));
