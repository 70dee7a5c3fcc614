/**
 * The functions of typebox that create the contract's schemas. The build replaces this module by a bundle of the code that they need,
 * because all modules of typebox together take an eighth of a second of processor time at the start of every process.
 */
export {
  Array,
  Boolean,
  Integer,
  Literal,
  Null,
  Number,
  Object,
  Optional,
  String,
  Union,
  Unsafe,
} from 'typebox';
