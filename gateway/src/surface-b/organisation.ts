import { OrganisationService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { created, forward } from "../http/context.ts";
import { presentListB } from "../http/present.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams, pageOf, pageQueryB, toPageB } from "../http/schemas.ts";
import {
  collectionNames,
  collections,
  newRecordSchema,
  presentRecord,
  recordSchema,
  toNewRecord,
} from "../resources/organisation.ts";
import type { Surface } from "../surface.ts";

/** The seven collections: properties, buildings, floors, locations, categories, custodians, departments. */
export const organisation: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  for (const name of collectionNames) {
    const { collection } = collections[name];

    app.get(
      `/${name}`,
      {
        config: declared({ capability: "view" }, OrganisationService.method.listRecords),
        schema: {
          summary: `List ${name}`,
          querystring: Type.Object(pageQueryB),
          response: { 200: pageOf(recordSchema(name)) },
        },
      },
      async (request, reply) => {
        const list = await clients.organisation.listRecords(
          { collection, page: toPageB(request.query) },
          forward(request, reply),
        );
        return presentListB(
          list.records.map((record) => presentRecord(name, record)),
          list.page,
        );
      },
    );

    app.get(
      `/${name}/:id`,
      {
        config: declared({ capability: "view" }, OrganisationService.method.getRecord),
        schema: { summary: `One of ${name}`, params: idParams, response: { 200: recordSchema(name) } },
      },
      async (request, reply) => {
        const { record } = await clients.organisation.getRecord(
          { collection, id: request.params.id },
          forward(request, reply),
        );
        return presentRecord(name, required(record));
      },
    );

    app.post(
      `/${name}`,
      {
        config: declared({ capability: "manage" }, OrganisationService.method.createRecord),
        schema: {
          summary: `Add to ${name}`,
          body: newRecordSchema(name),
          response: { 201: recordSchema(name) },
        },
      },
      async (request, reply) => {
        const { record } = await clients.organisation.createRecord(
          toNewRecord(name, request.body),
          forward(request, reply),
        );
        const made = presentRecord(name, required(record));
        created(reply, `/asset_manager_api/${name}/${made.id}`);
        return made;
      },
    );
  }
};
