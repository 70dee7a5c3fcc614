/** The process of the benefits service: `main.js [server] [worker]`; both roles if none is named. */
import { loadConfig, runProcess } from '@carecover/platform';
import { startBenefits } from './build';
import { SETTINGS } from './settings';

runProcess('benefits', async (roles) => startBenefits(loadConfig(SETTINGS), roles));
