import { OrganisationService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { created, forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { organisationCollections } from "../resources/organisation.ts";
import type { Surface } from "../surface.ts";

/** The seven collections: properties, buildings, floors, locations, categories, custodians, departments. */
export const organisation: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");

  for (const { name, kind, record, newRecord, toRecord } of organisationCollections) {
    list(`/${name}`, {
      summary: `List ${name}`,
      access: { capability: "view" },
      rpc: OrganisationService.method.listRecords,
      record,
      request: { kind },
    });

    get(`/${name}/:id`, {
      summary: `Retrieve a record of ${name}`,
      access: { capability: "view" },
      rpc: OrganisationService.method.getRecord,
      record,
      request: { kind },
    });

    app.post(
      `/${name}`,
      {
        config: declared({ capability: "manage" }, OrganisationService.method.createRecord),
        schema: { summary: `Create a record of ${name}`, body: newRecord, response: { 201: record.schema } },
      },
      async (request, reply) => {
        const answer = await clients.organisation.createRecord(
          { record: toRecord(request.body) },
          forward(request, reply),
        );
        const made = record.present(required(answer.record));
        created(reply, `/asset_manager_api/${name}/${made.id}`);
        return made;
      },
    );
  }
};
