import type { Provocations } from './provocation';
export declare const webhooksProvocations: Provocations;
