import type { ClaimView } from './steps';
/** Keeps what is shown equal to what is known, and writes history only where it changed. */
export declare class OperatorDisplay {
    private status;
    private dueAt;
    show(view: ClaimView): void;
}
