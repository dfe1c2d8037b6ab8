import { ActionIcon, Menu } from "@mantine/core";
import { IconDots, IconFileImport, IconTag } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import type { AssetSearch } from "./asset-search.ts";

/** Less frequent actions on the list: labels of what it shows, and the import of a spreadsheet. */
export function AssetsMenu({
  search: { sort: _sort, columns: _columns, ...filter },
}: {
  search: AssetSearch;
}) {
  const { t } = useTranslation();
  const { may } = useSession();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t("action.more")}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          renderRoot={(props) => <Link {...props} to="/labels" search={filter} />}
          leftSection={<IconTag size={16} aria-hidden />}
        >
          {t("assets.labels")}
        </Menu.Item>
        {may("admin") && (
          <Menu.Item component={Link} to="/import" leftSection={<IconFileImport size={16} aria-hidden />}>
            {t("assets.import")}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
