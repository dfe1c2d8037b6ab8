import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../api/use-session.ts";
import type { PlaceAction } from "./place-dialogs.tsx";
import { insideOf, type Place } from "./place-tree.ts";

/** The actions that the user may do with a place. */
export function PlaceMenu({ place, onChoose }: { place: Place; onChoose: (chosen: PlaceAction) => void }) {
  const { t } = useTranslation();
  const { may } = useSession();
  if (!may("manage") && !may("delete")) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t("record.actions", { name: place.name })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {may("manage") && (
          <>
            {insideOf[place.type].map((type) => (
              <Menu.Item key={type} onClick={() => onChoose({ action: "create", type, place })}>
                {t(`places.new.${type}`)}
              </Menu.Item>
            ))}
            <Menu.Item onClick={() => onChoose({ action: "edit", place })}>{t("action.edit")}</Menu.Item>
            {place.type !== "property" && (
              <Menu.Item onClick={() => onChoose({ action: "move", place })}>{t("asset.move")}</Menu.Item>
            )}
          </>
        )}
        {may("delete") && (
          <Menu.Item color="red" onClick={() => onChoose({ action: "delete", place })}>
            {t("action.delete")}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
