export { caller, codeOf, failure } from "./callers.ts";
export { knownIds, serving, startFakeService } from "./fake-services.ts";
export { startService } from "./start-service.ts";
export { openTopics } from "./topics.ts";
