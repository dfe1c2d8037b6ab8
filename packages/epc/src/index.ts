export { epcKey, parseEpc, sameKeyEpcs } from "./epc.ts";
