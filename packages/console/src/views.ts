import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { texts } from "./texts.js";

/** What a view gets of the address: the parts of the path behind its name, and what stands behind the question mark. */
export interface ViewProps {
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export interface View {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  /** The scope that reading it needs; absent: none. */
  readonly scope?: string;
  /** For the sandbox alone. */
  readonly isSandboxOnly?: boolean;
  readonly Page: LazyExoticComponent<ComponentType<ViewProps>>;
}

/** All views, in the menu's order. A view's code is loaded when it is opened first. */
export const views: readonly View[] = [
  { name: "", title: texts.views.overview, Page: lazy(() => import("./views/overview.js")) },
  {
    name: "accounts",
    title: texts.views.accounts,
    scope: "accounts:read",
    Page: lazy(() => import("./views/accounts.js")),
  },
  { name: "people", title: texts.views.people, scope: "accounts:read", Page: lazy(() => import("./views/people.js")) },
  {
    name: "proposals",
    title: texts.views.proposals,
    scope: "proposals:read",
    Page: lazy(() => import("./views/proposals.js")),
  },
  { name: "events", title: texts.views.events, scope: "webhooks:read", Page: lazy(() => import("./views/events.js")) },
  {
    name: "webhooks",
    title: texts.views.webhooks,
    scope: "webhooks:read",
    Page: lazy(() => import("./views/webhooks.js")),
  },
  { name: "keys", title: texts.views.keys, scope: "admin:keys", Page: lazy(() => import("./views/keys.js")) },
  {
    name: "treasury",
    title: texts.views.treasury,
    scope: "admin:keys",
    Page: lazy(() => import("./views/treasury.js")),
  },
  {
    name: "members",
    title: texts.views.members,
    scope: "admin:members",
    Page: lazy(() => import("./views/members.js")),
  },
  { name: "passkeys", title: texts.views.passkeys, Page: lazy(() => import("./views/passkeys.js")) },
  { name: "audit", title: texts.views.audit, scope: "audit:read", Page: lazy(() => import("./views/audit.js")) },
  {
    name: "requests",
    title: texts.views.requests,
    scope: "audit:read",
    Page: lazy(() => import("./views/requests.js")),
  },
  { name: "labels", title: texts.views.labels, scope: "accounts:read", Page: lazy(() => import("./views/labels.js")) },
  {
    name: "payments",
    title: texts.views.payments,
    scope: "payments:read",
    Page: lazy(() => import("./views/payments.js")),
  },
  { name: "rails", title: texts.views.rails, scope: "kyc:read", Page: lazy(() => import("./views/rails.js")) },
  { name: "limits", title: texts.views.limits, scope: "accounts:read", Page: lazy(() => import("./views/limits.js")) },
  {
    name: "calendar",
    title: texts.views.calendar,
    scope: "payments:read",
    Page: lazy(() => import("./views/calendar.js")),
  },
  {
    name: "operations",
    title: texts.views.operations,
    scope: "admin:tenants",
    Page: lazy(() => import("./views/operations.js")),
  },
  {
    name: "sandbox",
    title: texts.views.sandbox,
    scope: "sandbox:use",
    isSandboxOnly: true,
    Page: lazy(() => import("./views/sandbox.js")),
  },
];

export const viewOf = (name: string): View | undefined => views.find((view) => view.name === name);
