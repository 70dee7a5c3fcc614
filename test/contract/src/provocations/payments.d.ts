import type { Provocations } from './provocation';
export declare const paymentsProvocations: Provocations;
