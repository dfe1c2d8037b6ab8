import { isCalendarDate } from "@asset-register/runtime";
import { z } from "zod";

export const month = z.string().refine((text) => isCalendarDate(`${text}-01`), "must be a month, YYYY-MM");
