import type Type from "typebox";
import { body } from "./schemas.ts";
import { type Fields, type NewProperties, newProperties } from "./writable.ts";

/** The body that creates a record. `requestMessage` converts it. */
export const newBody = <F extends Fields>(
  { fields }: { fields: F },
  about: { title?: string; examples?: unknown[] } = {},
): Type.TObject<NewProperties<F>> => body(newProperties(fields), about);
