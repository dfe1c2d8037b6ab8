export {
  createService,
  type Part,
  type Service,
  type ServiceBase,
  type ServiceBuild,
  type ServiceContext,
  type ServiceDefinition,
} from "./create-service.ts";
export { type Role, type ServiceConfig, serviceSettings } from "./settings.ts";
export { withWorks } from "./works.ts";
export {
  createWorkspaceStore,
  requireActive,
  requireWorkspace,
  type WorkspaceProjection,
  type WorkspaceState,
  type WorkspaceStore,
  workspaceProjection,
} from "./workspaces.ts";
