export { type Caller, caller, codeOf, failure, inAnotherSession } from "./callers.ts";
export { type FakeService, fakeUsers, knownIds, serving, startFakeService } from "./fake-services.ts";
export { openProfiler } from "./profiler.ts";
export { sharedService } from "./shared.ts";
export { startService, type TestService } from "./start-service.ts";
export { type OpenTopics, openTopics, type Recorded, type TestEvent } from "./topics.ts";
export { workspaceEvent } from "./workspaces.ts";
