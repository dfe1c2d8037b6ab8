import type { Page } from "@asset-register/mongo";

/** Which part of a list. */
export type PageOf = { page: number; limit: number; cursor: string };

/** The same page with its items in the domain's form. */
export function mapPage<T, U>(page: Page<T>, map: (item: T) => U): Page<U> {
  return { ...page, items: page.items.map(map) };
}
