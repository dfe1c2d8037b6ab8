import { AssetService } from "@asset-register/proto/assetregister/register/v1/asset_pb";
import { CustomFieldService } from "@asset-register/proto/assetregister/register/v1/custom_field_pb";
import { limits } from "@asset-register/proto/limits";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf, forward } from "../http/context.ts";
import { MAX_BODY_BYTES, MAX_PER_PAGE_B } from "../http/limits.ts";
import { declared } from "../http/routes.ts";
import { rateOf } from "../plugins/authenticate.ts";
import { customField } from "../resources/custom-field.ts";
import { collectionNames } from "../resources/organisation.ts";
import { status } from "../resources/status.ts";
import { tenant } from "../resources/workspace.ts";
import type { Surface } from "../surface.ts";

const limitsSchema = Type.Object(
  {
    requests_per_minute: Type.Integer({ description: "Of one session" }),
    request_burst: Type.Integer({ description: "Requests that may follow at once" }),
    max_per_page: Type.Integer(),
    max_body_bytes: Type.Integer(),
    max_events_per_batch: Type.Integer({ description: "Of POST /ingest/events" }),
  },
  { title: "Limits" },
);

const tenantConfigSchema = Type.Object(
  {
    workspace: tenant.schema,
    statuses: Type.Array(status.schema),
    custom_fields: Type.Array(customField.schema, { description: "In the order of their position" }),
    collections: Type.Array(Type.Enum([...collectionNames])),
    limits: limitsSchema,
  },
  { title: "TenantConfig" },
);

export const tenantConfig: FastifyPluginAsyncTypebox<Surface> = async (app, { clients, config }) => {
  app.get(
    "/tenant_config",
    {
      config: declared(
        { signedIn: true, beforeEnrolment: true },
        AssetService.method.listStatuses,
        CustomFieldService.method.listFormFields,
      ),
      schema: {
        summary: "Retrieve the settings that an app needs at its start",
        response: { 200: tenantConfigSchema },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const options = forward(request, reply);
      const [{ statuses }, { customFields }] = await Promise.all([
        clients.assets.listStatuses({}, options),
        clients.customFields.listFormFields({}, options),
      ]);
      const { perMinute, burst } = rateOf(caller, config);
      return {
        workspace: tenant.present(caller.workspace),
        statuses: statuses.map((one) => status.present(one)),
        custom_fields: customFields.map((one) => customField.present(one)),
        collections: [...collectionNames],
        limits: {
          requests_per_minute: perMinute,
          request_burst: burst,
          max_per_page: MAX_PER_PAGE_B,
          max_body_bytes: MAX_BODY_BYTES,
          max_events_per_batch: limits.events,
        },
      };
    },
  );
};
