/**
 * The current details of a run in the Temporal UI: the state of its resource, and the latest commands with their outcomes. A client can't
 * give an Update a summary, and in the history an executed command and a rejected one look alike until they are opened.
 */
import type { ApplicationFailure } from '@temporalio/common';
import { setCurrentDetails } from '@temporalio/workflow';

const SHOWN_COMMANDS = 10;

export class RunDetails {
  private state = '';
  private readonly outcomes: string[] = [];

  /** Shows the resource's state. @param state the state as Markdown */
  showState(state: string): void {
    this.state = state;
    this.show();
  }

  /**
   * Shows that a command has ended.
   *
   * @param update the name of its Update
   * @param rejection the failure with which the command was rejected; null if it was executed
   */
  showOutcome(
    update: string,
    { requestId }: { readonly requestId: string },
    rejection: ApplicationFailure | null,
  ): void {
    const outcome = rejection === null ? 'executed' : `rejected: ${rejection.message}`;
    this.outcomes.push(`- ${new Date().toISOString()} \`${update}\` (request ${requestId}): ${outcome}`);
    if (this.outcomes.length > SHOWN_COMMANDS) this.outcomes.shift();
    this.show();
  }

  private show(): void {
    const commands =
      this.outcomes.length === 0 ? [] : [`Latest commands of this run:\n\n${this.outcomes.join('\n')}`];
    setCurrentDetails([this.state, ...commands].join('\n\n'));
  }
}
