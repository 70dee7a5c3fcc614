import type { Provocations } from './provocation';
export declare const benefitsProvocations: Provocations;
