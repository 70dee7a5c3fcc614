/**
 * Everything that is asked of a claim: a command row, then an Update of the claim's workflow, which decides. What can be told at
 * once (an unknown claim, a deadline in the past) is refused before the workflow is troubled.
 */
import { type Engine, type Handlers, type Sql } from '@carecover/platform';
import { type ClaimCommand } from '../workflow';
export declare function commandHandlers(sql: Sql, engine: Engine): Pick<Handlers, ClaimCommand>;
