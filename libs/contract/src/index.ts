import Type from 'typebox';
export const x = Type.Object({ a: Type.Integer() });
