import type { Contract } from "@trellis/kernel/endpoint.js";
import { errorPage } from "./error-page.js";
import { guidePages } from "./guides.js";
import type { DocPage } from "./page.js";
import { referencePages } from "./reference.js";

/** Every page of the documentation, in the order in which it is read. */
export function docPages(contracts: readonly Contract[]): readonly DocPage[] {
  const guides = guidePages();
  const isInDetail = ({ group }: DocPage) => group === "In detail";
  return [
    ...guides.filter((page) => !isInDetail(page)),
    errorPage(),
    ...referencePages(contracts, new Set(guides.map(({ slug }) => slug))),
    ...guides.filter(isInDetail),
  ];
}
