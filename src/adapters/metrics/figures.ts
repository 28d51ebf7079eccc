/** More rows than this are not counted: the figure then stands for "this many, or more". */
export const countedMax = 5_000;

const upTo = `Stops counting at ${countedMax}.`;

/** Every figure that is read rather than counted: its help text and its labels. */
export const figureTexts = {
  trellis_submissions_open: [`Submissions without an outcome. ${upTo}`, ["environment", "state"]],
  trellis_submissions_oldest_seconds: [
    "Age of the oldest submission without an outcome; 0: there is none.",
    ["environment"],
  ],
  trellis_submissions_ended_lately: [`Submissions that ended within five minutes. ${upTo}`, ["environment", "state"]],
  trellis_submissions_unsettled: [`Submissions that ended, and whose cost was not read yet. ${upTo}`, ["environment"]],
  trellis_creations_open: [`Account creations without an outcome. ${upTo}`, ["environment"]],
  trellis_creations_oldest_seconds: ["Age of the oldest account creation without an outcome.", ["environment"]],
  trellis_creations_ended_lately: [
    `Account creations begun within five minutes that ended. ${upTo}`,
    ["environment", "state"],
  ],
  trellis_creations_under_way: ["Account creations that this process has under way.", ["environment"]],
  trellis_creations_waiting: ["Account creations that wait for their turn in this process.", ["environment"]],
  trellis_mails_queued: [`Mails that were not handed to the mail server yet. ${upTo}`, ["environment"]],
  trellis_mails_oldest_seconds: ["Age of the oldest mail that was not handed over.", ["environment"]],
  trellis_endpoints_due: [`Webhook endpoints to which something is to be sent now. ${upTo}`, ["environment"]],
  trellis_endpoints_oldest_seconds: ["How late the longest waiting webhook endpoint is.", ["environment"]],
  trellis_event_deliveries_pending: [`Events that are not delivered yet, of all environments. ${upTo}`, []],
  trellis_standing_orders_due: [`Standing orders that are due to be read or paid. ${upTo}`, ["environment"]],
  trellis_standing_orders_oldest_seconds: ["How late the longest waiting standing order is.", ["environment"]],
  trellis_standing_orders_suspended: [`Standing orders that an operator has suspended. ${upTo}`, ["environment"]],
  trellis_standing_orders_unwanted_limits: [
    `Cancelled standing orders whose limit stands, and whose removal was not requested. ${upTo}`,
    ["environment"],
  ],
  trellis_rail_open: [`What is followed at a partner of bank rails, by kind. ${upTo}`, ["environment", "kind"]],
  trellis_rail_due: [`What is due to be read at a partner, by kind. ${upTo}`, ["environment", "kind"]],
  trellis_rail_oldest_seconds: ["How late the longest waiting read at a partner is, by kind.", ["environment", "kind"]],
  trellis_rail_refunds_failed: [
    `Payments that a bank returned, that the partner could not give back, and that no operator has settled. ${upTo}`,
    ["environment"],
  ],
  trellis_rail_coins_astray: [
    `Payments with a bank, and deposits, whose coins are stuck, and that no operator has settled. ${upTo}`,
    ["environment"],
  ],
  trellis_budget_limit_lamports: ["What the service pays for others on a day, by budget.", ["environment", "budget"]],
  trellis_budget_left_lamports: ["What is left of that today.", ["environment", "budget"]],
  trellis_service_key_lamports: ["What the service's own keys hold.", ["environment", "key"]],
  trellis_program_known: [
    "1: the cluster runs a build of the smart account program that was tested, or that the operator trusts; 0: another one, or none that can be read. Absent before a node has answered.",
    ["environment"],
  ],
  trellis_database_connections: ["Connections to PostgreSQL, by pool and state.", ["pool", "state"]],
  trellis_database_waiting: ["Statements that wait for a connection, by pool.", ["pool"]],
  trellis_database_connections_max: ["Connections that a pool opens at most.", ["pool"]],
} as const satisfies Record<string, readonly [help: string, labels: readonly string[]]>;

export type FigureName = keyof typeof figureTexts;

/** One figure with its labels. */
export interface Figure {
  readonly name: FigureName;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
