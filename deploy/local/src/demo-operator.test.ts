import { expect, test } from "vitest";
import { scopes as allScopes } from "../../../services/identity/src/domain/api-key.ts";
import { scopes } from "./demo-operator.ts";

test("the demo's API key has every scope", () => expect(scopes).toEqual([...allScopes]));
