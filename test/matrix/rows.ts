import type { Fixture } from "./fixture.ts";

/** One test of a route. `name` is its title. */
export type Row = { name: string; run(fixture: Fixture): Promise<void> };

/** The rows if `applies`, else none. */
export const when = (applies: boolean, ...rows: Row[]): Row[] => (applies ? rows : []);
