/** The process of the claims service: `main.js [server] [worker]`; both roles if none is named. */
import { loadConfig } from '@carecover/config';
import { runProcess } from '@carecover/process';
import { startClaims } from './build';
import { SETTINGS } from './settings';

runProcess('claims', async (roles) => startClaims(loadConfig(SETTINGS), roles));
