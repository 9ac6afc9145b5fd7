import path from "node:path";
import { expect, test } from "vitest";
import { goldenFolder } from "../../support/golden.ts";
import { renderProject } from "../../support/render-project.ts";
import { typeCheck, workspace, writeFiles } from "../../support/workspace.ts";

const app = `import { defineApp } from "galley-cms";
import "./index.ts";
import type { Story } from "./story/document.ts";

export default defineApp({
  register({ graphql }) {
    graphql.shadowCRUD("api::story.story").disableAction("find").field("title").disableOutput();
    graphql.shadowCRUD("api::story.story").disableActions(["create", "update"]);
    graphql.shadowCRUD("api::story.story").field("publishedAt").disableFilters();
    // @ts-expect-error no content type has this uid
    graphql.shadowCRUD("api::stori.stori");
    // @ts-expect-error there is no such action
    graphql.shadowCRUD("api::story.story").disableAction("publish");
    // @ts-expect-error the type has no such attribute
    graphql.shadowCRUD("api::story.story").field("titel");
    graphql.use(({ builder }) => {
      builder.objectField("Story", "loud", (t) => t.string({ resolve: (story) => story.title.toUpperCase() }));
      builder.queryField("latest", (t) => t.field({ type: "Story", resolve: (): Story | null => null }));
      // @ts-expect-error no type is called this
      builder.objectField("Stori", "loud", (t) => t.string({ resolve: () => "" }));
      // @ts-expect-error the type has no such attribute
      builder.objectField("Story", "loud", (t) => t.string({ resolve: (story) => story.titel }));
      // @ts-expect-error it is a number
      builder.objectField("Story", "loud", (t) => t.string({ resolve: (story) => story.length }));
      return {};
    });
  },
});
`;

test("a content type, field or action that does not exist does not compile", async () => {
  const folder = workspace(goldenFolder("drafts-and-locales"));
  writeFiles(path.join(folder, "generated"), [...(await renderProject(folder)), ["app.ts", app]]);
  expect(await typeCheck(folder)).toEqual({ code: 0, stdout: "", stderr: "" });
});
