// Shows the API description with Swagger UI, for reading: requests are sent from code, so no key is ever typed here.
(() => {
  const place = document.getElementById('reference');

  /** Swagger UI has dark colours, which a CSS class of the page enables. */
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', paint);
  paint();

  // On a page with Swagger UI, Chromium (156) follows the skip link without moving the keyboard focus.
  const content = document.getElementById('content');
  document.querySelector('.skip').addEventListener('click', () => content.focus());

  /** Adds a label to the selection of examples, for screen readers. */
  const named =
    (Original, { React }) =>
    (props) =>
      React.createElement('label', null, 'Example ', React.createElement(Original, props));

  const nothing = () => () => null;

  /** Replaces links inside buttons by text: not every keyboard and screen reader reaches them. Opening an operation sets the URL too. */
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

  SwaggerUIBundle({
    url: place.dataset.description,
    domNode: place,
    deepLinking: true,
    docExpansion: 'list',
    filter: true,
    defaultModelExpandDepth: 3,
    defaultModelsExpandDepth: 0,
    defaultModelRendering: 'example',
    supportedSubmitMethods: [],
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
})();
