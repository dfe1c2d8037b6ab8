import { expect, test } from "vitest";
import { scopes as known } from "../../../services/identity/src/domain/api-key.ts";
import { scopes } from "./demo-operator.ts";

test("the demo's key has every scope that there is", () => expect(scopes).toEqual([...known]));
