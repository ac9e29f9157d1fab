import { Type } from 'typebox';

/** A setting with a few values and a default. */
export const choice = <const T extends string>(values: readonly T[], fallback: NoInfer<T>, description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: values, default: fallback, description });
