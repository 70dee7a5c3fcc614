import type { Provocations } from './provocation';
export declare const claimsProvocations: Provocations;
