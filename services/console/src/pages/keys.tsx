/** The secret keys of a project. A secret is shown once, on the page that responds to the form. */
import { scopeDescriptions, WILDCARD_SCOPE } from '@carecover/contract';
import { Problem, problemAttributes, TextField } from '../forms';
import type { OperatorList, Project } from '../operations';
import { type Act, type Page, type PageContent, type PageRequest, projectPath } from '../page';
import { CopyButton, HiddenFields, Instant, Older, Status, Table } from '../parts';
import { captionOf } from '../words';

interface Key {
  readonly id: string;
  readonly name: string | null;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly rotated_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

interface NewKey {
  readonly key_id: string;
  readonly secret_key: string;
}

const SHOWN = 25;
const SCOPES = Object.entries({ [WILDCARD_SCOPE]: 'Every scope.', ...scopeDescriptions });

const KEY = { name: 'Name: what the key is for', scope: 'Scopes' };

const keyOf = (text: string | undefined) => encodeURIComponent(text ?? '');

function State({ revoked_at }: Pick<Key, 'revoked_at'>) {
  return <Status value={revoked_at === null ? 'active' : 'revoked'} />;
}

export const keys: Page = {
  path: '/keys',
  menu: 'Keys',
  permission: 'administrate',
  async render({ calls, project, address, query, session, rejected }) {
    const path = `/projects/${project.id}/keys`;
    const found: OperatorList<Key> = await calls.listOfOperator(path, SHOWN, query.get('after'));
    const chosen = rejected?.form.getAll('scope') ?? [];
    return {
      title: 'Keys',
      body: (
        <>
          <Table
            name="keys"
            caption={captionOf(found, 'secret key')}
            columns={[
              {
                label: 'Key',
                cell: ({ id }) => (
                  <a href={projectPath(project, `/keys/${id}`)}>
                    <code>{id}</code>
                  </a>
                ),
              },
              { label: 'Name', cell: ({ name }) => name ?? <span class="none">none</span> },
              { label: 'Prefix', cell: ({ prefix }) => <code>{prefix}</code> },
              { label: 'State', cell: (key) => <State {...key} /> },
              { label: 'Last used', cell: (key) => <Instant at={key.last_used_at} /> },
              { label: 'Created', cell: (key) => <Instant at={key.created_at} /> },
            ]}
            rows={found.data}
          />
          <Older list={found} address={address} query={query} items="keys" />
          <h2>Create a key</h2>
          <form class="form" method="post" action={projectPath(project, '/keys')}>
            <HiddenFields session={session} />
            <TextField labels={KEY} name="name" rejected={rejected} maxLength={200} />
            <fieldset id="scope" tabIndex={-1} {...problemAttributes(rejected, 'scope')}>
              <legend>Scopes</legend>
              <Problem rejected={rejected} name="scope" />
              {SCOPES.map(([scope, description]) => (
                <p key={scope} class="choice">
                  <input
                    type="checkbox"
                    id={`scope-${scope}`}
                    name="scope"
                    value={scope}
                    checked={chosen.includes(scope)}
                  />{' '}
                  <label for={`scope-${scope}`}>{scope}</label> <span class="hint">{description}</span>
                </p>
              ))}
            </fieldset>
            <button type="submit" class="main">
              Create the key
            </button>
          </form>
        </>
      ),
    };
  },
};

export const key: Page = {
  path: '/keys/:key',
  permission: 'administrate',
  async render({ calls, project, params, session }) {
    const path = `/projects/${project.id}/keys/${keyOf(params.key)}`;
    const found = await calls.gateway<Key>(path);
    return {
      title: `Key ${found.name ?? found.prefix}`,
      body: (
        <>
          <dl>
            <dt>Key</dt>
            <dd>
              <code>{found.id}</code>, <State {...found} />
            </dd>
            <dt>Prefix</dt>
            <dd>
              <code>{found.prefix}</code>
            </dd>
            <dt>Scopes</dt>
            <dd>{found.scopes.join(', ')}</dd>
            <dt>Created</dt>
            <dd>
              <Instant at={found.created_at} />
            </dd>
            <dt>Rotated</dt>
            <dd>
              <Instant at={found.rotated_at} />
            </dd>
            <dt>Revoked</dt>
            <dd>
              <Instant at={found.revoked_at} />
            </dd>
            <dt>Last used</dt>
            <dd>
              <Instant at={found.last_used_at} />
            </dd>
          </dl>
          {found.revoked_at === null && (
            <>
              <form class="form" method="post" action={projectPath(project, `/keys/${found.id}/rotations`)}>
                <h2>Rotate</h2>
                <HiddenFields session={session} />
                <p class="hint">
                  The key gets a new secret. The old secret and every token that was created with it are
                  invalid from the next request.
                </p>
                <button type="submit">Rotate…</button>
              </form>
              <form class="form" method="post" action={projectPath(project, `/keys/${found.id}/revocations`)}>
                <h2>Revoke</h2>
                <HiddenFields session={session} />
                <p class="hint">
                  The key and its tokens are invalid from the next request. A revocation is final.
                </p>
                <button type="submit">Revoke…</button>
              </form>
            </>
          )}
        </>
      ),
    };
  },
};

/** The page that shows a new secret. It is the response to the form, so that the secret is in no address and can't be opened again. */
function secretPage(project: Project, { key_id, secret_key }: NewKey): PageContent {
  return {
    title: 'New secret',
    scripts: ['copy.js'],
    body: (
      <>
        <p class="done" role="status" tabIndex={-1} autofocus>
          The secret of <code>{key_id}</code> is shown only here. Store it now.
        </p>
        <p class="secret">
          <code>{secret_key}</code> <CopyButton text={secret_key} label="Copy the secret" />
        </p>
        <p>
          <a href={projectPath(project, `/keys/${key_id}`)}>The key</a>
        </p>
      </>
    ),
  };
}

export const createKey: Act = {
  path: '/keys',
  permission: 'administrate',
  action: null,
  page: keys,
  labels: KEY,
  async execute({ calls, project }, form) {
    const body = { name: form.required('name'), scopes: form.form.getAll('scope') };
    if (body.scopes.length === 0) form.reject('scope', 'must have at least one choice');
    form.check();
    return secretPage(project, await calls.gateway<NewKey>(`/projects/${project.id}/keys`, body));
  },
};

/** Reads the key that an act changes, and what a person must know before it is changed. */
async function readKey({ calls, project, params }: PageRequest) {
  const found = await calls.gateway<Key>(`/projects/${project.id}/keys/${keyOf(params.key)}`);
  const name = found.name ?? found.prefix;
  return { found, name };
}

/** What a person sees before a key is changed: which key it is, and whether it is in use. */
function KeyInUse({ found }: { found: Key }) {
  return (
    <dl>
      <dt>Key</dt>
      <dd>
        {found.name ?? 'without a name'}, <code>{found.prefix}</code>
      </dd>
      <dt>Last used</dt>
      <dd>
        <Instant at={found.last_used_at} />
      </dd>
      <dt>Scopes</dt>
      <dd>{found.scopes.join(', ')}</dd>
    </dl>
  );
}

export const rotateKey: Act = {
  path: '/keys/:key/rotations',
  permission: 'administrate',
  action: null,
  page: key,
  async preview(request) {
    const { found, name } = await readKey(request);
    return {
      title: `Rotate the key ${name}?`,
      confirm: 'Rotate the key',
      basis: `${found.id} ${found.rotated_at} ${found.revoked_at}`,
      effect: (
        <>
          <p>
            <strong>The old secret and every token that was created with it stop working at once.</strong> The
            new secret is shown once.
          </p>
          <KeyInUse found={found} />
        </>
      ),
    };
  },
  async execute({ calls, project, params }) {
    const path = `/projects/${project.id}/keys/${keyOf(params.key)}/rotations`;
    return secretPage(project, await calls.gateway<NewKey>(path, {}));
  },
};

export const revokeKey: Act = {
  path: '/keys/:key/revocations',
  permission: 'administrate',
  action: null,
  page: key,
  async preview(request) {
    const { found, name } = await readKey(request);
    return {
      title: `Revoke the key ${name}?`,
      confirm: 'Revoke the key',
      basis: `${found.id} ${found.revoked_at}`,
      effect: (
        <>
          <p>
            <strong>The key and its tokens stop working at once. A revocation is final.</strong>
          </p>
          <KeyInUse found={found} />
        </>
      ),
    };
  },
  async execute(request) {
    const { calls, project, params } = request;
    const { name } = await readKey(request);
    await calls.gateway(`/projects/${project.id}/keys/${keyOf(params.key)}/revocations`, {});
    return { path: `/keys/${params.key}`, done: `The key ${name} was revoked.` };
  },
};
