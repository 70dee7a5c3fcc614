/** `carecover mcp`: prints what to paste into the configurations of clients of the MCP endpoint. */
import { OperatorError } from '@carecover/gateway';
import type { Command } from 'commander';
import { parseUrlOption } from '../api-connection';
import type { CommandContext } from '../command-context';
import { findDefaultStack } from '../connection-settings';

/** What stands in place of a key that this command does not know. */
const PLACEHOLDER = '<secret key>';

interface Connection {
  readonly url: string;
  readonly key: string;
  /** The certificate authority of a local stack, which clients do not know; null: a public one. */
  readonly certificateFile: string | null;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

function render({ url, key, certificateFile }: Connection): string {
  const headers = { Authorization: `Bearer ${key}` };
  const sections: [string, string][] = [
    [
      'Claude Code',
      `claude mcp add --transport http carecover ${url} --header "Authorization: Bearer ${key}"`,
    ],
    ['VS Code (.vscode/mcp.json)', json({ servers: { carecover: { type: 'http', url, headers } } })],
    ['Cursor (~/.cursor/mcp.json)', json({ mcpServers: { carecover: { url, headers } } })],
    [
      'Inspector, to try the tools',
      `npx @modelcontextprotocol/inspector --cli ${url} --transport http --header "Authorization: Bearer ${key}" --method tools/list`,
    ],
  ];
  const parts = sections.map(([title, text]) => `${title}:\n\n${text}\n`);
  const certificate =
    certificateFile === null
      ? []
      : [
          `The stack has a certificate of its own. Start the client with NODE_EXTRA_CA_CERTS='${certificateFile}'.\n`,
        ];
  const replace =
    key === PLACEHOLDER
      ? [`Replace ${PLACEHOLDER} by a key with only the scopes that the agent needs.\n`]
      : [];
  return [...parts, ...certificate, ...replace].join('\n');
}

async function printConfigurations(context: CommandContext, given: string | undefined): Promise<void> {
  const stack = await findDefaultStack(context.env);
  const baseUrl = given ?? stack?.base_url;
  if (baseUrl === undefined)
    throw new OperatorError(
      'Pass --base-url with the address of the API, or run a local stack with "npm start".',
    );
  const local = stack !== null && baseUrl === stack.base_url ? stack : null;
  const connection = {
    url: `${baseUrl.replace(/\/$/, '')}/mcp`,
    key: local?.secret_key ?? PLACEHOLDER,
    certificateFile: local?.ca_certificate ?? null,
  };
  context.output.write(render(connection));
}

export function addMcp(mcp: Command, context: CommandContext): void {
  mcp
    .option(
      '--base-url <url>',
      'the address of the API with /v1; default: that of the local stack, with its key',
      parseUrlOption,
    )
    .action(({ baseUrl }: { baseUrl?: string }) => printConfigurations(context, baseUrl));
}
