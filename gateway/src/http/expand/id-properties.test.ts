import Type, { type TSchema } from "typebox";
import { describe, expect, test } from "vitest";
import { id, idOfAny, ids, like, nullable, unset } from "../schemas.ts";
import { idProperties, ownerOf } from "./id-properties.ts";

const found = (properties: Type.TProperties) =>
  idProperties(Type.Object(properties)).map(({ name, target, form, values }) => [
    ...[name, target, form],
    [...new Set([...values.values()].flat())].join(),
  ]);

describe("idProperties", () => {
  test("a property has the name of its id without _id, or with the value if it has none", () => {
    const properties = {
      location_id: nullable(id("loc")),
      from_custodian_id: unset(id("cus")),
      assigned_to: nullable(id("usr")),
      tag_id: id("tag"),
    };
    expect(found(properties)).toEqual([
      ["location_id", "location", "record", "location"],
      ["from_custodian_id", "from_custodian", "record", "custodian"],
      ["assigned_to", "assigned_to_user", "record", "user"],
    ]);
  });

  test("a property of several kinds is a record", () => {
    const properties = {
      issued_to_id: nullable(idOfAny("cus", "dep")),
      subject: idOfAny("ast", "rdr"),
      scope_id: idOfAny("prp", "cat"),
    };
    expect(found(properties)).toEqual([
      ["issued_to_id", "issued_to", "record", "custodian,department"],
      ["subject", "subject_record", "record", "asset,reader"],
      ["scope_id", "scope", "record", "location,category"],
    ]);
  });

  test("lists have the plural", () => {
    const properties = {
      location_ids: ids("loc", ""),
      category_ids: ids("cat", ""),
      status_ids: ids("sta", ""),
    };
    expect(found(properties).map(([, target, form]) => [target, form])).toEqual([
      ["locations", "list"],
      ["categories", "list"],
      ["statuses", "list"],
    ]);
  });

  test("an actor gets a name; the record's own id, and places without a value, get nothing", () => {
    expect(found({ kind: like("user"), id: id("usr") })).toEqual([["id", "name", "actor", "user"]]);
    expect(found({ id: id("ast"), property_id: id("prp"), name: like("x") })).toEqual([]);
  });

  test("the form of a request has none", () => {
    const form: TSchema = Type.Object({ zone_id: id("zon") }, { additionalProperties: false });
    expect(idProperties(form)).toEqual([]);
  });
});

test("ownerOf: an id of a known kind that is not too long", () => {
  const texts = ["loc_1", "key_1", "rdr_1", "tag_1", "loc_", "_loc", "", `loc_${"x".repeat(61)}`];
  const none = undefined;
  expect(texts.map(ownerOf)).toEqual(["register", "identity", "tagging", none, none, none, none, none]);
});
