/** The Temporal UI offers the actions that the operator's page allows, and no others, in every kind of installation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestTemporalUi } from '@carecover/testing/servers';
import { parse } from 'yaml';
import { readComposeFile } from '../../../deploy/compose/src/compose-file';
import { ROOT } from './pages';

/** The setting of the UI that hides an action of the page. */
const SETTINGS: Readonly<Record<string, string>> = {
  Terminate: 'workflowTerminateDisabled',
  Cancel: 'workflowCancelDisabled',
  Reset: 'workflowResetDisabled',
  Signal: 'workflowSignalDisabled',
  Update: 'workflowUpdateDisabled',
  Pause: 'workflowPauseDisabled',
  'Start a workflow': 'startWorkflowDisabled',
  'Batch operations': 'batchActionsDisabled',
  'Activity commands': 'activityCommandsDisabled',
};

/** Settings that end in `Disabled` and hide no action. */
const OTHER_SETTINGS = new Set(['refreshWorkflowCountsDisabled']);

const readText = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Whether the name, in camel case, is that of a setting that hides actions. The setting `disableWriteActions` hides all of them. */
const hidesActions = (name: string) =>
  /Disabled$|^disableWriteActions$/.test(name) && !OTHER_SETTINGS.has(name);

/** Returns the names of the settings that hide actions and are true, in camel case. */
function hiddenBy(settings: Iterable<readonly [name: string, value: unknown]>): string[] {
  return [...settings]
    .filter(([name, value]) => hidesActions(name) && String(value) === 'true')
    .map(([name]) => name)
    .sort();
}

/** The name of a setting in camel case, such as `workflowResetDisabled` for `TEMPORAL_WORKFLOW_RESET_DISABLED`. */
const inCamelCase = (variable: string) =>
  variable
    .replace('TEMPORAL_', '')
    .toLowerCase()
    .replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** The page's table: the first column has the action, the second one whether the UI offers it. */
function actionsOfPage(): { setting: string; isOffered: boolean }[] {
  const [, section = ''] = readText('docs/operators/finding-things.md').split(
    '## Actions in the Temporal UI\n',
  );
  return [...section.matchAll(/^\| \*\*(.+?)\*\* \| (yes|no) \|/gm)].map(([, action = '', answer]) => ({
    setting: SETTINGS[action] ?? action,
    isOffered: answer === 'yes',
  }));
}

const hidden = actionsOfPage()
  .filter(({ isOffered }) => !isOffered)
  .map(({ setting }) => setting)
  .sort();

test('the UI of a local stack and of a cluster on one machine hides what the page says, and the page names all actions', async () => {
  const ui = await startTestTemporalUi('127.0.0.1:1');
  try {
    const response = await fetch(`${ui.url}/api/v1/settings`);
    const settings = Object.entries((await response.json()) as object).map(
      ([name, value]) => [`${name[0]?.toLowerCase()}${name.slice(1)}`, value] as const,
    );
    expect(hiddenBy(settings)).toEqual(hidden);
    const named = [...actionsOfPage().map(({ setting }) => setting), 'disableWriteActions'];
    expect(named.sort()).toEqual(
      settings
        .map(([name]) => name)
        .filter(hidesActions)
        .sort(),
    );
  } finally {
    await ui.stop();
  }
});

test('the UI of a release archive', () => {
  // The file is a template: its other lines have expressions that are no YAML.
  const lines = readText('deploy/local/toolchain/temporal/release/ui.yaml').matchAll(/^(\w+): (\w+)$/gm);
  expect(hiddenBy([...lines].map(([, name = '', value]) => [name, value]))).toEqual(hidden);
});

test('the UI of the compose file and the one of the chart, in the same version', () => {
  const { image, environment = {} } = readComposeFile().services['temporal-ui'] ?? {};
  const ofCompose = Object.entries(environment).map(([name, value]) => [inCamelCase(name), value] as const);
  expect(hiddenBy(ofCompose)).toEqual(hidden);
  const { web } = parse(readText('deploy/chart/engines/temporal.yaml'));
  const variables = web.additionalEnv as { name: string; value: string }[];
  expect(hiddenBy(variables.map(({ name, value }) => [inCamelCase(name), value]))).toEqual(hidden);
  expect(image).toBe(`temporalio/ui:${web.image.tag}`);
});
