import { useEffect } from "react";
import { Failed, Loading } from "../../parts/states.tsx";
import { useLookup } from "../../parts/use-lookup.ts";
import { feedback } from "./feedback.ts";
import { FoundAsset } from "./found-asset.tsx";
import { UnknownCode } from "./unknown-code.tsx";

/** A scanned code. `key` differs when the same code is scanned again; 0 is a code from the address. */
export type Scan = { code: string; key: number };

/** The record that a code stands for. */
export function ScanResult({ scan: { code, key } }: { scan: Scan }) {
  const found = useLookup(code);
  const isKnown = found.data === undefined ? undefined : found.data !== null;
  useEffect(() => {
    if (key > 0 && isKnown !== undefined) feedback(isKnown);
  }, [key, isKnown]);
  if (found.isPending) return <Loading />;
  if (found.isError) return <Failed error={found.error} retry={() => void found.refetch()} />;
  return found.data === null ? <UnknownCode code={code} /> : <FoundAsset asset={found.data} />;
}
