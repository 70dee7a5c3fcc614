/** Outcomes that every operation has in common, provoked alike for all: credentials, limits, wrong methods, bad bodies. */
import { type Operation } from '@carecover/contract';
import type { Attempt } from './provocations/provocation';
/** How a request departs from what a valid client with the main key would send. */
export interface Departure {
  readonly credential?: 'none' | 'unknown' | 'no scope' | 'exhausted';
  readonly plainHttp?: true;
  readonly method?: string;
  readonly contentType?: string;
  readonly rawBody?: string;
}
/** A well-formed request about resources that do not exist, with the example of the body's schema. */
export declare function formOnly({ path, body }: Operation): Attempt;
/** The departures by which an outcome that all operations have is provoked; undefined where it is an operation's own. */
export declare function departureFor(operation: Operation, outcome: string): Departure | undefined;
/** A request that fails validation, for operations that name none of their own. */
export declare function malformed(operation: Operation): Attempt;
