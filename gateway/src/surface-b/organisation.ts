import { OrganisationService } from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { accepted, created, forward } from "../http/context.ts";
import { readRoutes } from "../http/read-routes.ts";
import { required } from "../http/required.ts";
import { declared } from "../http/routes.ts";
import { idParams } from "../http/schemas.ts";
import { writeRoutes } from "../http/write-routes.ts";
import { organisationCollections } from "../resources/organisation.ts";
import { placeNodeSchema, presentPlaceNode } from "../resources/place-node.ts";
import type { Surface } from "../surface.ts";

/** The seven collections: properties, buildings, floors, locations, categories, custodians, departments. */
export const organisation: FastifyPluginAsyncTypebox<Surface> = async (app, { clients }) => {
  const { list, get } = readRoutes(app, clients, "b");
  const { remove } = writeRoutes(app, clients, "b");

  for (const collection of organisationCollections) {
    const { name, kind, record, written, newRecord, toRecord, patch, toUpdate, isMovable } = collection;
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

    app.post<{ Body: Body }>(
      `/${name}`,
      {
        config: declared({ capability: "manage" }, OrganisationService.method.createRecord),
        schema: { summary: `Create a record of ${name}`, body: newRecord, response: { 201: written } },
      },
      async (request, reply) => {
        const answer = await clients.organisation.createRecord(
          { record: toRecord(request.body) },
          forward(request, reply),
        );
        const made = record.present(required(answer.record));
        created(reply, `/asset_manager_api/${name}/${made.id}`);
        return { ...made, ...strippedOf(answer) };
      },
    );

    app.patch<{ Params: { id: string }; Body: Body }>(
      `/${name}/:id`,
      {
        config: declared({ capability: "manage" }, OrganisationService.method.updateRecord),
        schema: {
          summary: `Change a record of ${name}`,
          params: idParams,
          body: patch,
          response: { 200: written, ...(isMovable && { 202: written }) },
        },
      },
      async (request, reply) => {
        const answer = await clients.organisation.updateRecord(
          toUpdate(request.params.id, request.body),
          forward(request, reply),
        );
        const changed = required(answer.record);
        if (changed.placing !== undefined) accepted(reply, `${app.prefix}/${name}/${changed.id}`);
        return { ...record.present(changed), ...strippedOf(answer) };
      },
    );

    remove(`/${name}/:id`, {
      summary: `Delete a record of ${name}`,
      access: { capability: "delete" },
      rpc: OrganisationService.method.deleteRecord,
      request: { kind },
    });
  }

  app.get(
    "/locations/tree",
    {
      config: declared({ capability: "view" }, OrganisationService.method.getPlaceTree),
      schema: {
        summary: "Properties, buildings, floors and locations as a tree",
        response: { 200: Type.Object({ data: Type.Array(placeNodeSchema) }) },
      },
    },
    async (request, reply) => {
      const { places } = await clients.organisation.getPlaceTree({}, forward(request, reply));
      return { data: places.map(presentPlaceNode) };
    },
  );
};

type Body = Record<string, unknown>;

const strippedOf = ({ strippedFields }: { strippedFields: string[] }) =>
  strippedFields.length > 0 ? { stripped_fields: strippedFields } : {};
