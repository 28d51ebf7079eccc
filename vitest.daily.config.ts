import { configDefaults } from "vitest/config";
import base, { longTests } from "./vitest.config.js";

// All but what takes minutes by itself.
export default { ...base, test: { ...base.test, exclude: [...configDefaults.exclude, ...longTests] } };
