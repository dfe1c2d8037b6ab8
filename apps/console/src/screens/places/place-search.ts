/** The search of the tree of places, which is part of the address. */
export type PlaceSearch = { q?: string };

/** Reads the search of an address. The router reads a number from "?q=101". */
export const parsePlaceSearch = ({ q }: Record<string, unknown>): PlaceSearch =>
  (typeof q === "string" && q !== "") || typeof q === "number" ? { q: String(q) } : {};
