/**
 * Shows the API description with Swagger UI, and sends requests to the sandbox with a token (decision 0009). The token is kept in memory
 * only.
 */
import swaggerScript from 'swagger-ui-dist/swagger-ui-bundle.js?url';
import { useData } from 'vitepress';
import { defineComponent, h, onMounted, onUnmounted, ref, watchEffect } from 'vue';
import type { OperationSamples } from '../../../src/reference-data';
import { chooseLanguage, chosenLanguage } from './language.mts';

const DESCRIPTION = '/v1/openapi.json';
const TOKENS = '/v1/tokens';
/** The placeholder that the page shows as the Idempotency-Key. Each request is sent with a new random key instead. */
const NEW_KEY = 'a-new-key-for-each-request';

/** The parts of React that the replaced components of Swagger UI use. */
interface System {
  readonly React: {
    createElement(type: unknown, props: object | null, ...children: unknown[]): unknown;
    useState<T>(initial: T): [T, (next: T) => void];
    readonly Fragment: unknown;
  };
}

/** The parts of Immutable's maps and lists, in which Swagger UI has the API description. */
interface Read {
  get(name: string): unknown;
  set(name: string, value: unknown): Read;
  getIn(path: readonly string[]): Read | undefined;
  keySeq(): { toArray(): string[] };
  map(change: (value: Read, key: string) => Read | null): Read;
  filter(keep: (value: Read | null) => boolean): Read;
  readonly size: number;
}

interface SwaggerUiSystem {
  readonly layoutActions: { show(path: readonly string[], shown: boolean): void };
}

interface SwaggerRequest {
  url: string;
  readonly headers: Record<string, string>;
}

type SwaggerUi = (options: object) => SwaggerUiSystem;

interface Description {
  readonly paths: Record<
    string,
    Record<string, { readonly parameters?: { name: string; example?: string }[] }>
  >;
}

/**
 * Loads the styles of Swagger UI, followed by Carecover's styles, which override some of them. A script adds these style sheets to this
 * page only, because VitePress puts all other styles into one stylesheet for all pages.
 */
async function loadStyles(): Promise<CSSStyleSheet[]> {
  const texts = await Promise.all([
    import('swagger-ui-dist/swagger-ui.css?raw'),
    import('./api-reference.css?raw'),
  ]);
  return Promise.all(texts.map((text) => new CSSStyleSheet().replace(text.default)));
}

/** Loads Swagger UI, once for all visits of this page. */
let loading: Promise<SwaggerUi> | undefined;
function loadSwaggerUi(): Promise<SwaggerUi> {
  loading ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: swaggerScript });
    script.addEventListener('load', () => resolve(Reflect.get(window, 'SwaggerUIBundle')));
    script.addEventListener('error', () => {
      loading = undefined;
      reject(new Error('Swagger UI was not loaded'));
    });
    document.head.append(script);
  });
  return loading;
}

async function readDescription(): Promise<Description> {
  const response = await fetch(DESCRIPTION);
  if (!response.ok) throw new Error(`status ${response.status}`);
  const description: Description = await response.json();
  for (const path of Object.values(description.paths)) {
    for (const { parameters = [] } of Object.values(path)) {
      const key = parameters.find(({ name }) => name === 'Idempotency-Key');
      if (key !== undefined) key.example = NEW_KEY;
    }
  }
  return description;
}

/** The samples by method and path. */
type Samples = Readonly<Record<string, OperationSamples>>;

const nothing = () => () => null;

const LANGUAGES = [
  ['curl', 'curl'],
  ['TypeScript', 'typescript'],
  ['Python', 'python'],
  ['Go', 'go'],
] as const;

/** Shows the sample of an operation in one language, with buttons for the others. */
function sampleComponent({ React }: System) {
  return ({ sample }: { sample: OperationSamples }) => {
    const known = LANGUAGES.find(([label]) => label === chosenLanguage()) ?? LANGUAGES[0];
    const [[shown, field], show] = React.useState<(typeof LANGUAGES)[number]>(known);
    const buttons = LANGUAGES.map((language) =>
      React.createElement(
        'button',
        {
          key: language[0],
          type: 'button',
          'aria-pressed': language[0] === shown,
          onClick: () => {
            chooseLanguage(language[0]);
            show(language);
          },
        },
        language[0],
      ),
    );
    return React.createElement(
      'div',
      { className: 'sample' },
      React.createElement('div', { role: 'group', 'aria-label': 'Language of the sample' }, ...buttons),
      React.createElement('pre', null, sample[field]),
    );
  };
}

/** Creates the replacements of components of Swagger UI that show the samples. */
function sampleComponents(samples: Samples) {
  return {
    /** Shows the sample above the parameters. */
    parameters: (Original: unknown, system: System) => {
      const { React } = system;
      const Sample = sampleComponent(system);
      return (props: { readonly pathMethod: readonly [path: string, method: string] }) => {
        const [path, method] = props.pathMethod;
        const sample = samples[`${method.toUpperCase()} ${path}`];
        return React.createElement(
          React.Fragment,
          null,
          sample === undefined ? null : React.createElement(Sample, { sample }),
          React.createElement(Original, props),
        );
      };
    },
  };
}

/** Keeps the operations whose name, path, ID or further words contain the text of the filter. */
function filterOperations(samples: Samples) {
  return (sections: Read, text: string): Read => {
    const wanted = text.trim().toLowerCase();
    const matches = (operation: Read) => {
      const [path, method] = [String(operation.get('path')), String(operation.get('method'))];
      const details = operation.get('operation') as Read;
      const words = samples[`${method.toUpperCase()} ${path}`]?.words ?? [];
      const described = [details.get('operationId'), details.get('summary'), ...words].join(' ');
      return `${method} ${path} ${described}`.toLowerCase().includes(wanted);
    };
    return sections
      .map((section, tag) => {
        if (tag.toLowerCase().includes(wanted)) return section;
        const found = (section.get('operations') as Read).filter((each) => each !== null && matches(each));
        return found.size === 0 ? null : section.set('operations', found);
      })
      .filter((section) => section !== null);
  };
}

/** Replacements of components of Swagger UI. */
const COMPONENTS = {
  authorizeBtn: nothing,
  authorizeOperationBtn: nothing,
  /**
   * Replaces the links that Swagger UI puts inside buttons by text, because not every keyboard and screen reader reaches a link inside a
   * button. Opening an operation still changes the page's URL.
   */
  DeepLink:
    (_original: unknown, { React }: System) =>
    ({ text }: { text: unknown }) =>
      React.createElement('span', null, text),
  /** Adds a label for screen readers to the field in which a reader selects an example. */
  ExamplesSelect:
    (Original: unknown, { React }: System) =>
    (props: object) =>
      React.createElement('label', null, 'Example ', React.createElement(Original, props)),
  /** Filters by all words of an operation, not only by its section. */
  FilterContainer:
    (_original: unknown, { React }: System) =>
    ({
      layoutSelectors,
      layoutActions,
    }: {
      layoutSelectors: { currentFilter(): unknown };
      layoutActions: { updateFilter(text: string | true): void };
    }) => {
      const filter = layoutSelectors.currentFilter();
      return React.createElement('input', {
        className: 'operation-filter-input',
        type: 'search',
        'aria-label': 'Filter the operations',
        placeholder: 'Filter: a word, a path or an ID, such as refund',
        value: typeof filter === 'string' ? filter : '',
        onChange: ({ target }: { target: HTMLInputElement }) =>
          layoutActions.updateFilter(target.value || true),
      });
    },
  operations:
    (Original: unknown, { React }: System) =>
    (props: { specSelectors: { taggedOperations(): Read } }) =>
      props.specSelectors.taggedOperations().size === 0
        ? React.createElement(
            'p',
            { role: 'status' },
            'No operation has this text. Try another word, or the search of all pages.',
          )
        : React.createElement(Original, props),
  /** Folds an error to its status and codes. */
  response:
    (Original: unknown, { React }: System) =>
    (props: { readonly code: string; readonly response: Read }) => {
      const [isOpen, open] = React.useState(false);
      if (!/^[45]/.test(props.code)) return React.createElement(Original, props);
      const examples = props.response.getIn(['content', 'application/json', 'examples']);
      const codes = examples?.keySeq().toArray().join(', ') ?? String(props.response.get('description'));
      const cell = (name: string, content: unknown) =>
        React.createElement('td', { className: `response-col_${name}` }, content);
      const button = React.createElement(
        'button',
        { type: 'button', 'aria-expanded': isOpen, onClick: () => open(!isOpen) },
        codes,
      );
      return React.createElement(
        React.Fragment,
        null,
        React.createElement(
          'tr',
          { className: 'folded' },
          cell('status', props.code),
          cell('description', button),
        ),
        isOpen ? React.createElement(Original, props) : null,
      );
    },
  /** Shows the server's URL as text, because there is only one server to choose. */
  Servers:
    (_original: unknown, { React }: System) =>
    ({ servers }: { servers: { first(): Map<string, string> } }) =>
      React.createElement(
        'p',
        null,
        'Base address: ',
        React.createElement('code', null, servers.first().get('url')),
      ),
};

/** Scrolls to the section or the operation that the hash of the page's URL names. */
function scrollToHash(): void {
  const name = decodeURIComponent(location.hash.slice(1));
  const [, tag, id] = /^\/([^/]+)\/(\w+)$/.exec(name) ?? [];
  const target = id === undefined ? name : `operations-${tag?.replaceAll(' ', '_')}-${id}`;
  document.getElementById(target)?.scrollIntoView();
}

export const ApiReference = defineComponent({
  setup() {
    const { isDark } = useData();
    const place = ref<HTMLElement>();
    const origin = ref('https://…');
    const problem = ref('');
    const typed = ref('');
    const canSend = ref<boolean>();
    let token = '';
    let styles: readonly CSSStyleSheet[] = [];
    let viewer: SwaggerUiSystem | undefined;

    /** Opens the operation to which a link on the page leads. */
    function followHash(): void {
      const [, tag, id] = /^#\/([^/]+)\/(\w+)$/.exec(decodeURIComponent(location.hash)) ?? [];
      if (tag !== undefined && id !== undefined) viewer?.layoutActions.show(['operations', tag, id], true);
      requestAnimationFrame(scrollToHash);
    }

    function useToken(event: Event): void {
      event.preventDefault();
      const entered = typed.value.trim();
      canSend.value = /^pt_test_\w+$/.test(entered);
      token = canSend.value ? entered : '';
      typed.value = '';
    }

    /**
     * Adds the token to a request, and changes its host to the host of this page. The page's host serves the API too, even if the API
     * description names another host.
     */
    function prepareRequest(request: SwaggerRequest): SwaggerRequest {
      const { pathname, search } = new URL(request.url, location.href);
      request.url = location.origin + pathname + search;
      request.headers.Authorization = `Bearer ${token}`;
      if (request.headers['Idempotency-Key'] === NEW_KEY)
        request.headers['Idempotency-Key'] = crypto.randomUUID();
      return request;
    }

    onMounted(async () => {
      origin.value = location.origin;
      // A CSS class of the page enables the dark colors of Swagger UI.
      watchEffect(() => document.documentElement.classList.toggle('dark-mode', isDark.value));
      try {
        const [showDescription, description, sheets, { data: samples }] = await Promise.all([
          loadSwaggerUi(),
          readDescription(),
          loadStyles(),
          import('./reference.data.mts'),
        ]);
        if (place.value === undefined) return;
        styles = sheets;
        document.adoptedStyleSheets.push(...styles);
        viewer = showDescription({
          spec: description,
          domNode: place.value,
          deepLinking: true,
          docExpansion: 'list',
          filter: true,
          defaultModelExpandDepth: 3,
          defaultModelsExpandDepth: 0,
          defaultModelRendering: 'example',
          requestInterceptor: prepareRequest,
          syntaxHighlight: { activated: false },
          validatorUrl: null,
          showExtensions: false,
          plugins: [
            { wrapComponents: { ...COMPONENTS, ...sampleComponents(samples) } },
            { fn: { opsFilter: filterOperations(samples) } },
          ],
          onComplete: () => requestAnimationFrame(scrollToHash),
        });
        addEventListener('hashchange', followHash);
      } catch (error) {
        problem.value = `The API description can't be shown (${(error as Error).message}). Load this page again.`;
      }
    });
    onUnmounted(() => {
      removeEventListener('hashchange', followHash);
      document.documentElement.classList.remove('dark-mode');
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !styles.includes(sheet));
    });

    const command = () =>
      `curl ${origin.value}${TOKENS} --user "$CARECOVER_KEY:" --json '{"scopes":["*"],"expires_in":3600}'`;
    const state = () => {
      if (canSend.value === undefined) return '';
      return canSend.value
        ? 'Requests can be sent: open an operation and press "Try it out".'
        : 'A token of the sandbox begins with pt_test_. Never type a secret key into a browser.';
    };
    return () =>
      h('div', { class: ['vp-raw', { 'can-send': canSend.value }] }, [
        h('p', ['API description: ', h('a', { href: DESCRIPTION }, DESCRIPTION)]),
        h('details', { class: 'try' }, [
          h('summary', 'Try it against the sandbox'),
          h(
            'p',
            'Create a token with your secret key in a terminal: a secret key must never be typed into a browser. The token is valid for an hour.',
          ),
          h('pre', command()),
          h('p', [
            'For ',
            h('code', 'npm start'),
            ', add ',
            h('code', '--cacert .carecover/tls/ca.pem'),
            '; the key is ',
            h('code', 'secret_key'),
            ' in ',
            h('code', '.carecover/stack.json'),
            '.',
          ]),
          h('form', { id: 'token', onSubmit: useToken }, [
            h('label', [
              'Token ',
              h('input', {
                name: 'token',
                type: 'password',
                placeholder: 'pt_test_…',
                autocomplete: 'off',
                spellcheck: 'false',
                required: true,
                value: typed.value,
                'aria-invalid': canSend.value === false,
                onInput: ({ target }: Event) => {
                  typed.value = (target as HTMLInputElement).value;
                },
              }),
            ]),
            h('button', 'Use this token'),
            h('output', state()),
          ]),
        ]),
        problem.value === '' ? null : h('p', { role: 'alert' }, problem.value),
        // Vue must not update the content of this element, because Swagger UI renders it.
        h('div', { class: 'operations', ref: place }),
      ]);
  },
});
