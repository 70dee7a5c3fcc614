// Shows the API description with Swagger UI, for reading: requests are sent from code, so no key is ever typed here.
(() => {
  const place = document.getElementById('reference');

  /** The viewer knows its dark colours by a class. */
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', paint);
  paint();

  // Beside the viewer, Chromium (156) follows the link past the navigation without moving the focus.
  const content = document.getElementById('content');
  document.querySelector('.skip').addEventListener('click', () => content.focus());

  /** A choice with a name for whoever hears it. */
  const named =
    (Original, { React }) =>
    (props) =>
      React.createElement('label', null, 'Example ', React.createElement(Original, props));

  const nothing = () => () => null;

  /** A link within a button can't be reached by every keyboard and screen reader; opening an operation sets the address anyway. */
  const words =
    (_original, { React }) =>
    ({ text }) =>
      React.createElement('span', null, text);

  /** There is one, so there is nothing to choose. */
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
