import { eventually } from "@asset-register/harness";
import {
  OrganisationKind,
  type OrganisationRecordSchema,
} from "@asset-register/proto/assetregister/register/v1/organisation_pb";
import { requireFound, snakeCase } from "@asset-register/runtime";
import type { Caller } from "@asset-register/service-harness";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { expect } from "vitest";
import { makeRecord, type RunningRegister, type Workspace } from "./support.ts";

type Fields = MessageInitShape<typeof OrganisationRecordSchema>;

const kinds: Record<string, OrganisationKind> = {
  prp: OrganisationKind.PROPERTY,
  bld: OrganisationKind.BUILDING,
  flr: OrganisationKind.FLOOR,
  loc: OrganisationKind.LOCATION,
  cat: OrganisationKind.CATEGORY,
  cus: OrganisationKind.CUSTODIAN,
  dep: OrganisationKind.DEPARTMENT,
};
/** The kind of a record, by the prefix of its id. */
export const kindOf = (id: string): OrganisationKind => kinds[id.slice(0, 3)] ?? OrganisationKind.UNSPECIFIED;

/** Short names for the calls about records in one workspace. */
export function recordsOf(register: RunningRegister, home: Workspace) {
  const make = (kind: OrganisationKind, fields: Fields = {}) =>
    makeRecord(register, home, { kind, name: "Record", ...fields });
  const read = async (id: string) => {
    const { record } = await register.organisation.getRecord({ kind: kindOf(id), id }, home.admin);
    return requireFound(record);
  };
  /** Waits until the assets below a moved record are placed. */
  const placed = (id: string) => eventually(async () => expect((await read(id)).placing).toBeUndefined());
  /** Changes the given fields. One that is undefined is cleared. */
  const update = (id: string, fields: Fields, ifRevIn: number[] = [], caller: Caller = home.admin) => {
    const updateMask = { paths: Object.keys(fields).map(snakeCase) };
    const record = { ...fields, kind: kindOf(id), id };
    return register.organisation.updateRecord({ record, updateMask, ifRevIn }, caller);
  };
  return {
    property: (fields?: Fields) => make(OrganisationKind.PROPERTY, fields),
    building: (propertyId: string, fields?: Fields) =>
      make(OrganisationKind.BUILDING, { propertyId, ...fields }),
    floor: (buildingId: string, fields?: Fields) => make(OrganisationKind.FLOOR, { buildingId, ...fields }),
    location: (fields?: Fields) => make(OrganisationKind.LOCATION, fields),
    category: (fields?: Fields) => make(OrganisationKind.CATEGORY, fields),
    custodian: (fields?: Fields) => make(OrganisationKind.CUSTODIAN, fields),
    department: (fields?: Fields) => make(OrganisationKind.DEPARTMENT, fields),

    read,
    update,
    placed,
    /** Changes parents and waits until the assets below are placed: on a busy machine that is after the call. */
    async move(id: string, fields: Fields): Promise<void> {
      await update(id, fields);
      await placed(id);
    },
    remove: (id: string, ifRevIn: number[] = [], caller: Caller = home.admin) =>
      register.organisation.deleteRecord({ kind: kindOf(id), id, ifRevIn }, caller),
  };
}
