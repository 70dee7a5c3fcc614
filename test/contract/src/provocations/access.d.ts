/** The API itself and tokens. */
import type { Provocations } from './provocation';
export declare const accessProvocations: Provocations;
