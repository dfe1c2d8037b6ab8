import { ActionIcon, Button, Group, Text } from "@mantine/core";
import {
  IconBuilding,
  IconBuildingCommunity,
  IconChevronRight,
  IconMapPin,
  IconStairs,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../parts/workspace.ts";
import type { PlaceAction } from "./place-dialogs.tsx";
import classes from "./place-list.module.css";
import { PlaceMenu } from "./place-menu.tsx";
import type { Place } from "./place-tree.ts";
import type { PlaceDrag } from "./use-place-drag.ts";

const icons = {
  property: IconBuildingCommunity,
  building: IconBuilding,
  floor: IconStairs,
  location: IconMapPin,
};

/** A floor with 2,000 rooms must not block the page. */
const SHOWN = 100;

type Props = {
  label: string;
  places: readonly Place[];
  isOpen: (place: Place) => boolean;
  onToggle: (place: Place) => void;
  onChoose: (chosen: PlaceAction) => void;
  drag: PlaceDrag;
};

/** Places, and in each the places that are in it. Lists in lists: screen readers say the level and the number. */
export function PlaceList({ label, places, ...tree }: Props) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(SHOWN);
  return (
    <ul className={classes.list} aria-label={label}>
      {places.slice(0, shown).map((place) => (
        <li key={place.id}>
          <PlaceRow place={place} {...tree} />
          {place.children.length > 0 && tree.isOpen(place) && (
            <PlaceList label={t("places.inside", { name: place.name })} places={place.children} {...tree} />
          )}
        </li>
      ))}
      {places.length > shown && (
        <li>
          <Button variant="subtle" size="xs" onClick={() => setShown(shown + SHOWN)}>
            {t("assets.more")}
          </Button>
        </li>
      )}
    </ul>
  );
}

type RowProps = Omit<Props, "label" | "places"> & { place: Place };

function PlaceRow({ place, isOpen, onToggle, onChoose, drag }: RowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, type, name, code, asset_count: count } = place;
  const Icon = icons[type];
  return (
    <Group className={classes.row} gap={6} wrap="nowrap" {...drag(place)}>
      {place.children.length === 0 ? (
        <span className={classes.space} />
      ) : (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-expanded={isOpen(place)}
          aria-label={t("places.inside", { name })}
          onClick={() => onToggle(place)}
        >
          <IconChevronRight size={16} className={classes.arrow} data-opened={isOpen(place) || undefined} />
        </ActionIcon>
      )}
      <Icon size={18} stroke={1.6} role="img" aria-label={t(`places.${type}`)} />
      <div className={classes.text}>
        {type === "location" ? (
          <Link to="/assets" search={{ location: id }} draggable={false} className={`${classes.name} cut`}>
            {name}
          </Link>
        ) : (
          <span className={`${classes.name} cut`}>{name}</span>
        )}
        <Text size="xs" c="dimmed" component="span" className="numbers">
          {[code, t("assets.total", { count, shown: format.number(count) })].filter(Boolean).join(" · ")}
        </Text>
      </div>
      <PlaceMenu place={place} onChoose={onChoose} />
    </Group>
  );
}
