/** Every judgement of a claim as it was made. Appended only. */
import type { Adjudication } from '@carecover/contract';
import type { Tx } from '@carecover/platform';
export declare function insertAdjudication(tx: Tx, claimId: string, adjudication: Adjudication): Promise<void>;
