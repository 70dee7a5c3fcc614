/** Runs the quick start in Go against a stack. */
import { go, hasGo } from '../../../go/src/tools';
import { running } from './world';

// The first run compiles the standard library.
jest.setTimeout(300_000);

test('the quick start in Go results in a settled claim, a received webhook and two valuations that differ', async () => {
  if (!(await hasGo())) return;
  const { base_url, secret_key, ca_certificate } = running.stack.file;
  const printed = await go(['run', '../../docs/guides/quick-start.go'], {
    CARECOVER_URL: base_url,
    CARECOVER_KEY: secret_key,
    SSL_CERT_FILE: ca_certificate,
  });
  expect(printed).toMatch(
    new RegExp(
      [
        '^eligible \\[eligible\\] 6 sessions remain',
        'pre-authorization approved',
        'claim clm_\\w+ submitted',
        'received claim\\.settled 300000 KES',
        'valued at \\S+ partially_approved remitted 0 settled 0 outstanding 300000',
        'valued at \\S+ settled remitted 300000 settled 300000 outstanding 0\n$',
      ].join('\n'),
    ),
  );
});
