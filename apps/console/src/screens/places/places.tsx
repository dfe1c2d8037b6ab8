import { Button, Paper } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { queries } from "../../api/client.ts";
import { useSession } from "../../api/use-session.ts";
import { Page } from "../../parts/page.tsx";
import { SearchBox } from "../../parts/search-box.tsx";
import { Empty, Failed, Loading } from "../../parts/states.tsx";
import { type PlaceAction, PlaceDialog } from "./place-dialogs.tsx";
import { PlaceList } from "./place-list.tsx";
import { findPlaces, type Place } from "./place-tree.ts";
import { usePlaceDrag } from "./use-place-drag.ts";

const route = getRouteApi("/places");

/** The tree of properties, buildings, floors and locations, with how many assets are in each. */
export function Places() {
  const { t } = useTranslation();
  const { may } = useSession();
  const { q = "" } = route.useSearch();
  const navigate = useNavigate({ from: "/places" });
  const [chosen, setChosen] = useState<PlaceAction>();
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const found = queries.useQuery("get", "/locations/tree", {});
  // The schema does not repeat the form of a node for each level.
  const all = found.data?.data as unknown as Place[] | undefined;
  const { places, opened } = useMemo(() => findPlaces(all ?? [], q), [all, q]);
  const drag = usePlaceDrag(all ?? [], may("manage"), (place, to) =>
    setChosen({ action: "move", place, to }),
  );
  const isOpen = ({ id, type }: Place): boolean =>
    toggled.get(id) ?? (q === "" ? type === "property" || type === "building" : opened.has(id));
  const search = (text: string | undefined): void => {
    // Each search opens its own places.
    setToggled(new Map());
    void navigate({ search: text === undefined ? {} : { q: text }, replace: true });
  };
  const create = may("manage") && (
    <Button
      leftSection={<IconPlus size={17} aria-hidden />}
      onClick={() => setChosen({ action: "create", type: "property" })}
    >
      {t("places.new.property")}
    </Button>
  );
  return (
    <Page title={t("nav.places")} actions={create}>
      <SearchBox label={t("places.search")} value={q} onSearch={search} />
      <Paper withBorder mt="sm" p="xs">
        {found.isPending && <Loading />}
        {found.isError && <Failed error={found.error} retry={() => void found.refetch()} />}
        {found.isSuccess && places.length === 0 && (
          <Empty
            title={t(q === "" ? "places.emptyTitle" : "places.noneTitle")}
            text={t(q === "" ? "places.emptyText" : "record.noneText")}
          >
            {q === "" && create}
          </Empty>
        )}
        {places.length > 0 && (
          <PlaceList
            label={t("nav.places")}
            places={places}
            isOpen={isOpen}
            onToggle={(place) => setToggled(new Map(toggled).set(place.id, !isOpen(place)))}
            onChoose={setChosen}
            drag={drag}
          />
        )}
      </Paper>
      {chosen && <PlaceDialog chosen={chosen} onClose={() => setChosen(undefined)} />}
    </Page>
  );
}
