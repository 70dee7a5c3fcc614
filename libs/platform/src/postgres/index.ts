export * from './connect';
export * from './errors';
export * from './statement';
export * from './together';
