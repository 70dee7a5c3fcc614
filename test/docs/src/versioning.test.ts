/** Compares the rule of compatibility on the page about versions with the rule in the API description. */
import { COMPATIBILITY, openApiDocument } from '@carecover/contract/openapi';
import { readPage } from './pages';

test('the page about versions and the API description state the same rule of compatibility', () => {
  expect(readPage('docs/guides/versioning.md').text.replaceAll('\n', ' ')).toContain(COMPATIBILITY);
  const { info } = openApiDocument({ serverUrl: 'https://api.example.com/v1' });
  expect(Object(info).description).toContain(COMPATIBILITY);
});
