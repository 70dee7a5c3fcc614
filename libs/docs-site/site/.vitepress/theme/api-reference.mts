/**
 * Shows the API description with Swagger UI, and sends requests to the sandbox with a token (decision 0009). The token is kept in memory
 * only.
 */
import swaggerScript from 'swagger-ui-dist/swagger-ui-bundle.js?url';
import { useData } from 'vitepress';
import { defineComponent, h, onMounted, onUnmounted, ref, watchEffect } from 'vue';

const DESCRIPTION = '/v1/openapi.json';
const TOKENS = '/v1/tokens';
/** The placeholder that the page shows as the Idempotency-Key. Each request is sent with a new random key instead. */
const NEW_KEY = 'a-new-key-for-each-request';

/** The parts of React that the replaced components of Swagger UI use. */
interface System {
  readonly React: { createElement(type: unknown, props: object | null, ...children: unknown[]): unknown };
}

interface SwaggerRequest {
  url: string;
  readonly headers: Record<string, string>;
}

type SwaggerUi = (options: object) => void;

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

const nothing = () => () => null;

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
        const [showDescription, description, sheets] = await Promise.all([
          loadSwaggerUi(),
          readDescription(),
          loadStyles(),
        ]);
        if (place.value === undefined) return;
        styles = sheets;
        document.adoptedStyleSheets.push(...styles);
        showDescription({
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
          plugins: [{ wrapComponents: COMPONENTS }],
        });
      } catch (error) {
        problem.value = `The API description can't be shown (${(error as Error).message}). Load this page again.`;
      }
    });
    onUnmounted(() => {
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
