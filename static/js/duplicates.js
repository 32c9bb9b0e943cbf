/** Two entries side by side: a key for each decision. */
import { useKeys } from "./keys.js";

useKeys();
