/** All of it together, because it is loaded only where an operator asks for metrics. */
export { meterConnect, meterSender } from "./metered.js";
export { openMetrics } from "./open-metrics.js";
export { createPrometheus } from "./prometheus.js";
