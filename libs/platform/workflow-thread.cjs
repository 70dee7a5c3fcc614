/**
 * The thread that executes workflows. It runs the SDK's own code, without the hook that takes a stack trace for each promise. Only
 * Temporal's query for a workflow's stack traces needs the hook, which took a third of the processor time of a workflow task. Errors keep
 * their stack traces.
 */
'use strict';

const { globalHandlers } = require('@temporalio/worker/lib/workflow/vm-shared');

globalHandlers.setPromiseHook = () => undefined;

require('@temporalio/worker/lib/workflow/workflow-worker-thread');
