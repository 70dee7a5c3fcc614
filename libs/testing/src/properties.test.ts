import { drawCases, fc } from './properties';

test('cases are drawn in their order, each once, and all of them if as many are asked for', () => {
  const cases = Array.from({ length: 12 }, (_, index) => index);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: cases.length }), (count) => {
      const drawn = drawCases(cases, count);
      expect(new Set(drawn).size).toBe(count);
      expect(drawn).toEqual(cases.filter((each) => drawn.includes(each)));
    }),
  );
});

test('every case is drawn at some time', () => {
  const drawn = Array.from({ length: 200 }, () => drawCases(['first', 'second', 'third'], 1)).flat();
  expect(new Set(drawn).size).toBe(3);
});

test('the seed of the run draws the same cases again', () => {
  const drawAgain = () => {
    let draw: typeof drawCases = drawCases;
    jest.isolateModules(() => {
      draw = (jest.requireActual('./properties') as typeof import('./properties')).drawCases;
    });
    return Array.from({ length: 20 }, () => draw([1, 2, 3, 4, 5], 2));
  };
  expect(drawAgain()).toEqual(drawAgain());
});
