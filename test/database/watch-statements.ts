import pg from "pg";

/** A node of a plan as the server writes it down after it was run. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly Operation?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A statement that was run, and how. */
export interface RunStatement {
  readonly text: string;
  readonly plan: PlanNode;
  readonly nodes: readonly PlanNode[];
  /** Pages of tables and indexes that were touched, however often. */
  readonly pages: number;
  /** Rows written, index and all. */
  readonly written: number;
}

/**
 * Makes the server tell every statement run in a database together with its plan and what it really touched: those of the
 * service, with the values of the moment, and those that foreign keys run. Sees connections of this process that are
 * opened while it watches. Needs a superuser.
 */
export async function watchStatements(url: string): Promise<{
  /** What was run since the last call. */
  take(): readonly RunStatement[];
  stop(): Promise<void>;
}> {
  const seen: RunStatement[] = [];
  const settings = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_buffers": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_format": "json",
    "auto_explain.log_level": "notice",
  };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`alter database ${client.database} set ${name} = ${client.escapeLiteral(value)}`);
  }
  await client.end();

  const { connect } = pg.Client.prototype;
  // biome-ignore lint/suspicious/noExplicitAny: it has several forms
  pg.Client.prototype.connect = function (this: pg.Client, ...args: any[]): any {
    this.on("notice", ({ message }) => {
      const reported = /^duration: .*plan:\n([\s\S]*)$/.exec(message ?? "")?.[1];
      if (reported !== undefined) seen.push(readStatement(reported));
    });
    return (connect as (...all: unknown[]) => unknown).apply(this, args);
  };
  return {
    take: () => seen.splice(0),
    stop: async () => {
      pg.Client.prototype.connect = connect;
    },
  };
}

function readStatement(reported: string): RunStatement {
  const { "Query Text": text, Plan: plan } = JSON.parse(reported) as { "Query Text": string; Plan: PlanNode };
  const nodes = flatten(plan);
  const written = nodes.filter((node) => node["Node Type"] === "ModifyTable");
  return {
    text: text.replace(/\s+/g, " ").trim(),
    plan,
    nodes,
    pages: (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0),
    // What a writing node returns is not what it wrote: its source is.
    written: written.reduce(
      (sum, { Plans = [] }) => sum + Plans.reduce((rows, each) => rows + each["Actual Rows"], 0),
      0,
    ),
  };
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
