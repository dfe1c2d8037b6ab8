import { Box, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { PagedList } from "../../../parts/paged-list.tsx";
import { AssetLink, UnknownTagLink } from "../../../parts/subject-link.tsx";
import { usePages } from "../../../parts/use-pages.ts";
import { useFormat } from "../../../parts/workspace.ts";
import type { Range } from "../live-search.ts";
import { spans } from "./use-activity.ts";

const LIST = "/readers/{id}/reads";
const EVERY_MS = 60_000;

/** The reads of a reader in a time span until now, the newest first. */
export function ReaderReads({ id, range }: { id: string; range: Range }) {
  const { t } = useTranslation();
  // All pages are of one time.
  const [from] = useState(() => new Date(Date.now() - spans[range].ms).toISOString());
  const found = usePages(
    LIST,
    `${id} ${from}`,
    (page, signal) =>
      api.GET(LIST, { params: { path: { id }, query: { ...page, from, expand: ["asset"] } }, signal }),
    EVERY_MS,
  );
  return (
    <PagedList found={found} empty={t("reads.none")}>
      {(read) => <Read key={read.id} read={read} />}
    </PagedList>
  );
}

function Read({ read }: { read: Schemas["TagRead"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { epc, asset_id, at, asset, antenna, rssi, count, late } = read;
  const facts = [
    format.seconds(at),
    asset?.number,
    antenna !== null && t("reads.antenna", { antenna }),
    rssi !== null && `${format.number(rssi)} dBm`,
    count > 1 && t("reads.times", { times: format.number(count) }),
    late && t("reads.late"),
  ];
  return (
    <Box>
      {asset_id === null ? (
        <UnknownTagLink epc={epc} />
      ) : (
        <AssetLink id={asset_id} name={asset?.name ?? asset_id} />
      )}
      <Text size="xs" c="dimmed" className="wrap numbers">
        {facts.filter(Boolean).join(" · ")}
      </Text>
    </Box>
  );
}
