/** An answer of the service that is no success, in its own words. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** The code of the error catalogue; `unreachable` where nothing answered. */
  readonly code: string;
  readonly requestId: string | undefined;

  constructor(status: number, code: string, message: string, requestId?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** What a call of the service is about. */
export interface Request {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below `/api/service/v1`. */
  readonly path: string;
  readonly environment?: string | undefined;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** One for every attempt at the same change: a lost answer is repeated, the change is not. */
  readonly idempotencyKey?: string;
}

export type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface Answer<T> {
  readonly data: T;
  /** Where the next page of a list begins. */
  readonly nextCursor: string | undefined;
}

/** Of the session: it goes with every change, and no other site can read it. */
let csrfToken: string | undefined;

export function rememberCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** Calls the service as the member who is signed in. Throws `ApiError`. */
export async function call<T>(request: Request): Promise<Answer<T>> {
  const { method = "GET", body, signal } = request;
  let response: Response;
  try {
    response = await fetch(urlOf(request), {
      method,
      credentials: "same-origin",
      headers: headersOf(request),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new ApiError(0, "unreachable", "The service does not answer.");
  }
  const answered = await readJson(response);
  if (!response.ok) throw errorOf(response.status, answered);
  return { data: dataOf<T>(answered), nextCursor: response.headers.get("x-next-cursor") ?? undefined };
}

/** At most so many pages make one file: with 100 rows each, 20,000 rows. */
const filePagesMax = 200;

/** Reads a list as CSV, page after page, as one text with one header. Throws `ApiError`. */
export async function readCsv(request: Pick<Request, "path" | "query" | "environment">): Promise<CsvFile> {
  const parts: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { ...request.query, format: "csv", limit: 100, cursor };
    const response = await fetch(urlOf({ path: request.path, query }), {
      credentials: "same-origin",
      headers: { ...headersOf(request), accept: "text/csv, application/json" },
    });
    if (!response.ok) throw errorOf(response.status, await readJson(response));
    const text = await response.text();
    parts.push(parts.length === 0 ? text : text.slice(text.indexOf("\r\n") + 2));
    cursor = response.headers.get("x-next-cursor") ?? undefined;
  } while (cursor !== undefined && parts.length < filePagesMax);
  return { text: parts.join(""), isWhole: cursor === undefined };
}

export interface CsvFile {
  readonly text: string;
  /** False: there are more rows than one file takes; the newest are in it. */
  readonly isWhole: boolean;
}

export function urlOf({ path, query = {} }: Pick<Request, "path" | "query">): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === "") continue;
    for (const each of Array.isArray(value) ? value : [value]) words.append(name, String(each));
  }
  const text = words.toString();
  return `/api/service/v1${path}${text === "" ? "" : `?${text}`}`;
}

function headersOf({ environment, method = "GET", body, idempotencyKey }: Request): Record<string, string> {
  return {
    accept: "application/json",
    ...(environment === undefined ? {} : { "x-service-environment": environment }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(idempotencyKey === undefined ? {} : { "x-idempotency-key": idempotencyKey }),
    ...(method === "GET" || csrfToken === undefined ? {} : { "x-csrf-token": csrfToken }),
  };
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    // A proxy in between answers in words of its own.
    throw new ApiError(response.status, "unreachable", `The service answered ${response.status} without content.`);
  }
}

/** Most answers are envelopes; some are bare. */
function dataOf<T>(answered: unknown): T {
  const isEnvelope = typeof answered === "object" && answered !== null && "data" in answered && "metadata" in answered;
  return (isEnvelope ? answered.data : answered) as T;
}

function errorOf(status: number, answered: unknown): ApiError {
  const { code, message, request_id } = (answered ?? {}) as Readonly<Record<string, unknown>>;
  return new ApiError(
    status,
    typeof code === "string" ? code : "unexpected",
    typeof message === "string" ? message : `The service answered ${status}.`,
    typeof request_id === "string" ? request_id : undefined,
  );
}
