export { recordActs } from "./acts.ts";
export { createCaller } from "./caller.ts";
export { record, startNeighbours } from "./neighbours.ts";
