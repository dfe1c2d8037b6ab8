export { act, type By } from "./act.ts";
