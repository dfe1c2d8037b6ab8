export {
  createService,
  type Part,
  type Service,
  type ServiceBase,
  type ServiceContext,
  type ServiceDefinition,
  type ServiceParts,
} from "./create-service.ts";
export { type Role, type ServiceConfig, serviceSettings } from "./settings.ts";
export {
  createWorkspaceStore,
  decodeWorkspace,
  requireActive,
  requireWorkspace,
  type WorkspaceProjection,
  type WorkspaceState,
  type WorkspaceStore,
  workspaceSubscription,
} from "./workspaces.ts";
