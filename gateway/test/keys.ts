import { testKeys } from "@asset-register/harness";

export type Keys = {
  of(name: "gateway" | "upstream"): { privateKeyPem: string; trustedKeys: Record<string, string[]> };
};

/** Key pairs of the gateway and of what stands behind it. */
export function freshKeys(): Keys {
  const { privateKeyPem, trustedKeys } = testKeys("gateway", "upstream");
  return { of: (name) => ({ privateKeyPem: privateKeyPem[name] ?? "", trustedKeys }) };
}
