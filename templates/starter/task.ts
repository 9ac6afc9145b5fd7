import type { Task } from "galley-cms";

export const example: Task = {
  schedule: "0 3 * * *",
  async run({ services }) {
    services.log.info("example ran");
  },
};
