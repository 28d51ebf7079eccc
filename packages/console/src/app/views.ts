import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { texts } from "./texts.js";

/** What a view gets of the address: the parts of the path behind its name. */
export interface ViewProps {
  readonly parts: readonly string[];
}

export interface View {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  readonly Page: LazyExoticComponent<ComponentType<ViewProps>>;
}

/** All views, in the menu's order. A view's code is loaded when it is opened first. */
export const views: readonly View[] = [
  { name: "", title: texts.views.overview, Page: lazy(() => import("./views/overview.js")) },
  { name: "inbox", title: texts.views.inbox, Page: lazy(() => import("./views/inbox.js")) },
  { name: "pay", title: texts.views.pay, Page: lazy(() => import("./views/pay.js")) },
  { name: "receive", title: texts.views.receive, Page: lazy(() => import("./views/receive.js")) },
  { name: "history", title: texts.views.history, Page: lazy(() => import("./views/history.js")) },
  { name: "rules", title: texts.views.rules, Page: lazy(() => import("./views/rules.js")) },
  { name: "limits", title: texts.views.limits, Page: lazy(() => import("./views/limits.js")) },
  { name: "orders", title: texts.views.orders, Page: lazy(() => import("./views/orders.js")) },
  { name: "names", title: texts.views.names, Page: lazy(() => import("./views/names.js")) },
];

export const viewOf = (name: string): View | undefined => views.find((view) => view.name === name);
