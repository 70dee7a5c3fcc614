Object.defineProperty(exports, '__esModule', { value: true });
exports.Sender = void 0;
const undici_1 = require('undici');
class Sender {
  baseUrl;
  agent;
  credentials;
  constructor(
    /** `https://host:port/v1` */
    baseUrl,
    agent,
    credentials,
  ) {
    this.baseUrl = baseUrl;
    this.agent = agent;
    this.credentials = credentials;
  }
  async send(operation, attempt, departure = {}, idempotencyKey) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(attempt.params?.[name] ?? ''),
    );
    const query = attempt.query === undefined ? '' : `?${new URLSearchParams(attempt.query)}`;
    const base = departure.plainHttp ? this.baseUrl.replace('https:', 'http:') : this.baseUrl;
    const body = departure.rawBody ?? (attempt.body === undefined ? undefined : JSON.stringify(attempt.body));
    const response = await (0, undici_1.request)(`${base}${path}${query}`, {
      method: departure.method ?? operation.method,
      dispatcher: this.agent,
      headers: {
        ...attempt.headers,
        ...this.authorization(operation, departure),
        ...(body === undefined ? {} : { 'content-type': departure.contentType ?? 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.body.text();
    return { status: response.statusCode, headers: response.headers, text, body: JSON.parse(text) };
  }
  authorization({ scope }, { credential }) {
    if (credential === 'none') return {};
    return { authorization: `Bearer ${this.key(scope, credential)}` };
  }
  key(scope, credential) {
    if (credential === 'unknown') return 'sk_test_unknown';
    if (credential === 'exhausted') return this.credentials.exhausted;
    if (credential === 'no scope')
      return scope === 'secret key' ? this.credentials.token : this.credentials.noScope(scope);
    return this.credentials.main;
  }
}
exports.Sender = Sender;
