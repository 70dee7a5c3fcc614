import { fc } from '@carecover/testing';
import Koa from 'koa';
import { readQueryParameters } from './query-parameters';

test('up to fifty parameters are read as by Koa, also repeated ones and names of object properties', () => {
  const ofKoa = (query: string) => {
    const request = Object.create(new Koa().request, { req: { value: { url: `/?${query}` } } });
    return Object.entries(request.query);
  };
  const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', '', '1', '%61', 'a+b', '%zz', 'é');
  const value = fc.constantFrom('', '=1', '=', '=a+b', '=%2B', '=%ff', '=1=2');
  const parameter = fc.tuple(name, value).map(([first, second]) => first + second);
  fc.assert(
    fc.property(fc.array(parameter, { maxLength: 50 }), (parameters) => {
      const query = parameters.join('&');
      const read = readQueryParameters(query);
      expect(read.ok && Object.entries(read.value)).toEqual(ofKoa(query));
    }),
  );
});

test('a query of more than fifty parameters is a problem, with different names and with one name', () => {
  const tooMany = {
    ok: false,
    problems: [{ pointer: '/query', message: 'must have at most 50 parameters' }],
  };
  const query = (count: number, name: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => `${name(index)}=1`).join('&');
  for (const name of [() => 'a', (index: number) => `p${index}`]) {
    expect(readQueryParameters(query(50, name)).ok).toBe(true);
    expect(readQueryParameters(query(51, name))).toEqual(tooMany);
  }
  expect(readQueryParameters('a&'.repeat(8_000))).toEqual(tooMany);
});
