import type { Generated } from "kysely";

/** Something that happened to an object of a tenant's, written together with the change it reports (gap 89). */
export interface EventTable {
  /** `evt_…`: what receivers recognise repetitions by. */
  id: string;
  tenant_id: string;
  environment: string;
  type: string;
  /** Of what: an id, an address, or whatever else names the object. */
  object_id: string;
  /** Of two events about one object the later one has the greater number. */
  sequence: Generated<bigint>;
  /** JSON: the object as it was after the change. */
  data: string;
  /** Of what has a state: the one before. */
  previous_status: string | null;
  /** Made up, to try a receiver with. */
  is_example: Generated<boolean>;
  /** Names what is reported once only, whichever process notices it. */
  once: string | null;
  /** When what it reports happened, which may be long before it was noticed. Environment time. */
  created_at: bigint;
  /** Its place in the feed, the same for good; null until `publishEvents` gives it one. */
  place: bigint | null;
  /** When it got it: what keeping and replaying count from. Environment time. */
  placed_at: bigint | null;
}

/** One row: the process that holds it gives out places in the feed. */
export interface EventFeedTable {
  /** Always 1. */
  id: number;
  next_place: bigint;
}

/** Where events are sent to (gap 91). */
export interface WebhookEndpointTable {
  id: string;
  tenant_id: string;
  environment: string;
  url: string;
  /** Types, or beginnings of types; `*` is all of them. */
  types: string[];
  /** Only events about this object; null: about all. An endpoint given with an intent is for that one. */
  object_id: string | null;
  description: string | null;
  /** `deleted`: kept so that deleting it again is the same, and so that its attempts have a place. */
  status: "enabled" | "disabled" | "deleted";
  /** `gone`, `failing` or `paused`. */
  disabled_reason: string | null;
  /** Envelope-encrypted bytes that events are signed with; null once it was deleted. */
  secret: Uint8Array | null;
  /** The one before, which signs too for a while after a rotation. */
  previous_secret: Uint8Array | null;
  /** Until when. Real time. */
  previous_secret_until: bigint | null;
  /** Since when nothing has arrived; null: the last attempt succeeded. Environment time. */
  failing_since: bigint | null;
  /** When there is something to be sent; null: there is nothing, or a process has claimed it. Environment time. */
  next_due_at: bigint | null;
  /** Until when one process has all its deliveries to itself. Real time. */
  leased_until: bigint | null;
  /** Environment time, as the next. */
  created_at: bigint;
  updated_at: bigint;
}

/** An event on its way to an endpoint. */
export interface WebhookDeliveryTable {
  endpoint_id: string;
  event_id: string;
  environment: string;
  state: "pending" | "delivered" | "failed";
  /** Since it was scheduled last. */
  attempts: Generated<number>;
  /** Environment time. */
  next_attempt_at: bigint | null;
  /** How far environment time was ahead of real time when that was set. */
  ahead_ms: bigint | null;
  /** Of its event. Environment time. */
  created_at: bigint;
}

/** One try at a delivery, and how it went. */
export interface WebhookAttemptTable {
  id: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  environment: string;
  /** Counted from one. */
  attempt: number;
  is_delivered: boolean;
  response_status: number | null;
  /** Why there was no answer, in a word. */
  fault: string | null;
  /** Cut. */
  response_body: string | null;
  duration_ms: number;
  /** Environment time. */
  attempted_at: bigint;
}
