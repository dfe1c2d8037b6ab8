import { ActionIcon, Button, Checkbox, Popover, ScrollArea, Stack } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useAssetColumns } from "./asset-columns.tsx";
import type { AssetSearch } from "./asset-search.ts";

/** Chooses the columns of the list. The choice is part of the address. */
export function ColumnChooser({ search }: { search: AssetSearch }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: "/assets" });
  const all = useAssetColumns();
  const chosen = search.columns ?? all.filter(({ from }) => from !== undefined).map(({ id }) => id);
  const choose = (columns: readonly string[] | undefined): void => {
    const { columns: _before, ...others } = search;
    // In the order of the list, so that one choice has one address.
    const ordered = columns && all.filter(({ id }) => columns.includes(id)).map(({ id }) => id);
    void navigate({ search: { ...others, ...(ordered && { columns: ordered }) }, replace: true });
  };
  return (
    <Popover position="bottom-end" trapFocus withinPortal>
      <Popover.Target>
        <ActionIcon variant="default" size={36} visibleFrom="sm" aria-label={t("assets.columns")}>
          <IconColumns3 size={18} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("assets.columns")}>
        <Stack gap="sm">
          <ScrollArea.Autosize mah={360} type="auto">
            <Checkbox.Group value={chosen} onChange={choose} aria-label={t("assets.columns")}>
              <Stack gap="xs" miw={200} maw={280}>
                {all.map(({ id, label }) => (
                  <Checkbox key={id} value={id} label={label} classNames={{ label: "wrap" }} />
                ))}
              </Stack>
            </Checkbox.Group>
          </ScrollArea.Autosize>
          <Button
            size="xs"
            variant="default"
            disabled={search.columns === undefined}
            onClick={() => choose(undefined)}
          >
            {t("assets.usualColumns")}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
