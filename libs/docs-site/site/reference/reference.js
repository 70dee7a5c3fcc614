// Shows the API description with Swagger UI, and sends requests to the sandbox with a token. The token is kept in memory only.
(() => {
  const place = document.getElementById('reference');

  /** Swagger UI has dark colours, which a CSS class of the page enables. */
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', paint);
  paint();

  // On a page with Swagger UI, Chromium (156) follows the link "Skip to the content" without moving the keyboard focus. So this listener
  // moves the focus.
  const content = document.getElementById('content');
  document.querySelector('.skip').addEventListener('click', () => content.focus());

  /** Adds a label for screen readers to the field in which a reader selects an example. */
  const named =
    (Original, { React }) =>
    (props) =>
      React.createElement('label', null, 'Example ', React.createElement(Original, props));

  const nothing = () => () => null;

  /** The placeholder that the page shows as the Idempotency-Key. Each request is sent with a new random key instead. */
  const NEW_KEY = 'a-new-key-for-each-request';
  let token = '';

  /**
   * Adds the token to a request, and changes its host to the host of this page. The page's host serves the API too, even if the API
   * description names another host.
   */
  const prepareRequest = (request) => {
    const { pathname, search } = new URL(request.url, location.href);
    request.url = location.origin + pathname + search;
    request.headers.Authorization = `Bearer ${token}`;
    if (request.headers['Idempotency-Key'] === NEW_KEY)
      request.headers['Idempotency-Key'] = crypto.randomUUID();
    return request;
  };

  document.getElementById('origin').textContent = location.origin;
  const form = document.getElementById('token');
  const field = form.elements.namedItem('token');
  const state = form.querySelector('output');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const typed = field.value.trim();
    const isToken = /^pt_test_\w+$/.test(typed);
    token = isToken ? typed : '';
    document.documentElement.classList.toggle('can-send', isToken);
    field.setAttribute('aria-invalid', String(!isToken));
    state.textContent = isToken
      ? 'Requests can be sent: open an operation and press "Try it out".'
      : 'A token of the sandbox begins with pt_test_. Never type a secret key into a browser.';
    field.value = '';
  });

  /**
   * Replaces the links that Swagger UI puts inside buttons by text, because not every keyboard and screen reader reaches a link inside a
   * button. Opening an operation still changes the page's URL.
   */
  const words =
    (_original, { React }) =>
    ({ text }) =>
      React.createElement('span', null, text);

  /** Shows the server's URL as text, because there is only one server to choose. */
  const address =
    (_original, { React }) =>
    ({ servers }) =>
      React.createElement(
        'p',
        null,
        'Base address: ',
        React.createElement('code', null, servers.first().get('url')),
      );

  const show = (description) => {
    for (const path of Object.values(description.paths)) {
      for (const { parameters = [] } of Object.values(path)) {
        const key = parameters.find(({ name }) => name === 'Idempotency-Key');
        if (key !== undefined) key.example = NEW_KEY;
      }
    }
    SwaggerUIBundle({
      spec: description,
      domNode: place,
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
        {
          wrapComponents: {
            authorizeBtn: nothing,
            authorizeOperationBtn: nothing,
            DeepLink: words,
            ExamplesSelect: named,
            Servers: address,
          },
        },
      ],
    });
  };
  fetch(place.dataset.description)
    .then((response) =>
      response.ok ? response.json() : Promise.reject(new Error(`status ${response.status}`)),
    )
    .then(show)
    .catch((error) => {
      place.textContent = `The API description can't be shown (${error.message}). Load this page again.`;
    });
})();
