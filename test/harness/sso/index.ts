export { browse } from "./browse.ts";
export { type NameServer, startNameServer } from "./name-server.ts";
export { startProvider, type TestProvider } from "./provider.ts";
