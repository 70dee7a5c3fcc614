/** A token that is narrowed to some resources sees no other. */
import { type Caller } from '@carecover/platform';
/** @throws Refusal resource_not_found where the caller may not see this claim */
export declare function requireVisible(caller: Caller, claimId: string): void;
