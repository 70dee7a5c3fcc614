/** Reading claims: one, or a page of them. */
import { type Handlers, type Sql } from '@carecover/platform';
export declare function claimHandlers(sql: Sql): Pick<Handlers, 'listClaims' | 'getClaim'>;
