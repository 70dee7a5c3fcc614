/**
 * What a crash or an absence left undone, done again: commands whose sender is gone, open claims whose workflow the engine lost
 * (or, after a restore, never had), deadlines that passed without effect, and ended claims of which benefits has not heard.
 * Every sweep is safe at any time and on several replicas at once.
 */
import { type Engine, type Log, type Sql, type Sweep } from '@carecover/platform';
export declare function claimSweeps(sql: Sql, engine: Engine, log: Log): Sweep[];
