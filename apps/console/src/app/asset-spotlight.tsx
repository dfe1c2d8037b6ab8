import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { queries } from "../api/client.ts";

/** Finds an asset from everywhere: Ctrl K, then a few letters. */
export function AssetSpotlight() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const [q] = useDebouncedValue(text.trim(), 120);
  const { data, isFetching } = queries.useQuery(
    "get",
    "/assets",
    { params: { query: { q, per_page: 8 } } },
    { enabled: q.length >= 2, placeholderData: (before) => before },
  );
  const found = q.length >= 2 ? (data?.data ?? []).filter((one) => "name" in one) : [];
  return (
    <Spotlight.Root query={text} onQueryChange={setText} shortcut="mod + K" radius="md">
      <Spotlight.Search
        placeholder={t("nav.searchHint")}
        aria-label={t("nav.search")}
        leftSection={<IconSearch size={18} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {found.map(({ id, name, number, serial_number }) => (
          <Spotlight.Action
            key={id}
            label={name}
            description={[number, serial_number].filter(Boolean).join(" · ")}
            onClick={() => void navigate({ to: "/assets/$id", params: { id } })}
          />
        ))}
        {q.length >= 2 && !isFetching && found.length === 0 && (
          <Spotlight.Empty>{t("nav.nothingFound")}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
