import { useDebouncedValue } from "@mantine/hooks";
import { queries } from "../api/client.ts";

export type NamedAsset = { id: string; name: string };

const TYPING_MS = 120;
const SHOWN = 20;

/** The first assets that a text finds. The server searches while one types: there may be a million. */
export function useFoundAssets(text: string) {
  const [q] = useDebouncedValue(text.trim(), TYPING_MS);
  const { data } = queries.useQuery(
    "get",
    "/assets",
    { params: { query: { per_page: SHOWN, ...(q !== "" && { q }) } } },
    { placeholderData: (before) => before },
  );
  return (data?.data ?? []).filter((one) => "name" in one);
}
