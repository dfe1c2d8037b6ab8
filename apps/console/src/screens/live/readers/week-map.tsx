import { Text, VisuallyHidden } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Failed, Loading } from "../../../parts/states.tsx";
import { useFormat, useTenant } from "../../../parts/workspace.ts";
import { dayName } from "../../alerts/rule-sentence.ts";
import { useActivity } from "./use-activity.ts";
import { type DayOfReads, hours, shadeOf, weekOf } from "./week.ts";
import styles from "./week-map.module.css";

/** Every so many hours are named above the map: more names have no room on a phone. */
const NAMED_HOURS = 6;

/** The reads of the last 7 days by hour and day of the week: a table whose cells are shaded by their number. */
export function WeekMap({ id }: { id: string }) {
  const { t } = useTranslation();
  const timeZone = useTenant()?.workspace?.time_zone ?? "UTC";
  const { data, isPending, isError, error, refetch } = useActivity(id, "week");
  if (isPending) return <Loading />;
  if (isError) return <Failed error={error} retry={() => void refetch()} />;
  const week = weekOf(data, timeZone);
  const most = Math.max(0, ...week.flatMap(({ reads }) => reads.map((count = 0) => count)));
  if (most === 0) return <Text c="dimmed">{t("readers.noActivity")}</Text>;
  return (
    <table className={styles.map}>
      <caption>
        <VisuallyHidden>{t("readers.weekMap")}</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          <th className={styles.day}>
            <VisuallyHidden>{t("readers.weekday")}</VisuallyHidden>
          </th>
          {hours.map((hour) => (
            <HourName key={hour} hour={hour} />
          ))}
        </tr>
      </thead>
      <tbody>
        {week.map((day) => (
          <Day key={day.day} {...day} most={most} />
        ))}
      </tbody>
    </table>
  );
}

/** The colour of the page's controls, mixed into that of an empty cell. */
const mixed = (shade: number): string =>
  `color-mix(in srgb, var(--mantine-primary-color-filled) ${Math.round(100 * shade)}%, var(--empty))`;

const nameOf = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;

function HourName({ hour }: { hour: number }) {
  const isNamed = hour % NAMED_HOURS === 0;
  return (
    <th scope="col">
      {isNamed && <span aria-hidden>{hour}</span>}
      <VisuallyHidden>{nameOf(hour)}</VisuallyHidden>
    </th>
  );
}

function Day({ day, reads, most }: DayOfReads & { most: number }) {
  const { i18n } = useTranslation();
  const format = useFormat();
  const name = dayName(i18n.language, day);
  return (
    <tr>
      <th scope="row">{name}</th>
      {hours.map((hour) => {
        const count = reads[hour];
        if (count === undefined) return <td key={hour} />;
        const text = format.number(count);
        const backgroundColor = mixed(shadeOf(count, most));
        return (
          <td key={hour} style={{ backgroundColor }} title={`${name} ${nameOf(hour)}: ${text}`}>
            <VisuallyHidden>{text}</VisuallyHidden>
          </td>
        );
      })}
    </tr>
  );
}
