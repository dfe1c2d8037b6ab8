import { type LabelTemplate, labelsOnPage, placeOf, templates } from "@asset-register/proto/label-templates";
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./labels.module.css";

type Props = { template: LabelTemplate; start: number; count: number; onStart: (start: number) => void };

/** The first page: used labels are grey. A click chooses the first free one; by keyboard, the field beside it does. */
export function SheetPreview({ template: name, start, count, onStart }: Props) {
  const { t } = useTranslation();
  const template = templates[name];
  const { page, label } = template;
  const places = labelsOnPage(template);
  const pages = Math.max(1, Math.ceil((start - 1 + count) / places));
  return (
    <>
      <div className={classes.sheet} style={{ aspectRatio: `${page.width} / ${page.height}` }} aria-hidden>
        {Array.from({ length: places }, (_, index) => {
          const position = index + 1;
          const { x, y } = placeOf(template, index);
          const isUsed = position < start;
          const isPrinted = !isUsed && position < start + count;
          return (
            <button
              key={position}
              type="button"
              tabIndex={-1}
              title={`${position}`}
              data-position={position}
              className={`${classes.place} ${isUsed ? classes.used : isPrinted ? classes.printed : ""}`}
              style={{
                left: `${(x / page.width) * 100}%`,
                top: `${(y / page.height) * 100}%`,
                width: `${(label.width / page.width) * 100}%`,
                height: `${(label.height / page.height) * 100}%`,
              }}
              onClick={() => onStart(position)}
            />
          );
        })}
      </div>
      <Text size="xs" c="dimmed" mt={4}>
        {t("labels.sheetHint", { count: pages })}
      </Text>
    </>
  );
}
