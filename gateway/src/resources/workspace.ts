import { Plan } from "@asset-register/proto/assetregister/identity/v1/workspace_pb";
import { wireEnum } from "../http/wire-enum.ts";

export const planName = wireEnum({
  starter: Plan.STARTER,
  business: Plan.BUSINESS,
  enterprise: Plan.ENTERPRISE,
});
