import type { World } from "./world.ts";

/** One thing that a route must do, by the name of its test. */
export type Row = { name: string; run(world: World): Promise<void> };

export const when = (applies: boolean, ...rows: Row[]): Row[] => (applies ? rows : []);
