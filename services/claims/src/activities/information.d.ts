import { type Sql } from '@carecover/platform';
import type { ClaimSteps } from '@carecover/workflow-claim';
type InformationSteps = Pick<ClaimSteps, 'commitInformationRequest' | 'commitEvidence' | 'lapseInformationRequest'>;
export declare function informationSteps(sql: Sql): InformationSteps;
export {};
