/** What a template does at one place, with a memory of its own for each place. */
export class Directive {
  constructor(part?: unknown);
  update(part: { element: Element }, values: unknown[]): unknown;
}
export function directive<V extends unknown[]>(
  made: new (part?: unknown) => { update(part: { element: Element }, values: V): unknown },
): (...values: V) => unknown;
