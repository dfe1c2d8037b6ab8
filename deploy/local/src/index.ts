export { seedDemo } from "./demo.ts";
export { LocalError } from "./errors.ts";
export { clearLeftovers } from "./leftovers.ts";
export { killNotedProcesses } from "./pid-file.ts";
export { type Platform, type PlatformOptions, type PlatformService, startPlatform } from "./platform.ts";
export { type PlatformProcess, startPlatformProcess } from "./platform-process.ts";
export { findFreePort } from "./ports.ts";
export { type RunningServers, serverEnvironment, startServer, startServers } from "./servers.ts";
export type { Progress, RunningServer, ServerName, ServerOptions } from "./types.ts";
