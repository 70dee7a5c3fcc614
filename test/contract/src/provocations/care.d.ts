import type { Provocations } from './provocation';
export declare const careProvocations: Provocations;
