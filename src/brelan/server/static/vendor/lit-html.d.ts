/** The part of lit-html's interface (3.3, vendored unchanged) that the page uses. */
export type TemplateResult = { readonly _$litType$: number };
export const nothing: unique symbol;
export const noChange: unique symbol;
export function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export function svg(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult;
export function render(value: unknown, container: HTMLElement): unknown;
