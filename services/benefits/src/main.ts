/** The process of the benefits service: `main.js [server] [worker]`; both roles if none is named. */
import { loadConfig } from '@carecover/config';
import { runProcess } from '@carecover/process';
import { startBenefits } from './build';
import { SETTINGS } from './settings';

runProcess('benefits', async (roles) => startBenefits(loadConfig(SETTINGS), roles));
