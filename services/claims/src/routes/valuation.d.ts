import type { Handlers, Sql } from '@carecover/platform';
export declare function valuationHandlers(sql: Sql): Pick<Handlers, 'getClaimValuation'>;
