/** Users and roles as clients see them through one another. */
import { expect, onTestFinished, test } from "vitest";
import { at, registration, textAt } from "../../support/auth-app.ts";
import { exampleApp, exampleDatabase } from "../../support/example-app.ts";

const ALL = "plugin::users-permissions.user.find";

test.each(["entity", "flat"] as const)("in the %s format a user has one id wherever it shows", async (format) => {
  const legacy = { jwt: { mode: "legacy" } } as const;
  const app = await exampleApp(onTestFinished, await exampleDatabase(), { graphql: { format }, auth: legacy });
  await app.allowUsers(ALL, "plugin::users-permissions.user.findOne", "plugin::users-permissions.role.find");
  const { body: registered } = await app.graphql(
    "mutation ($input: UsersPermissionsRegisterInput!) { register(input: $input) { jwt user { id } } }",
    { input: registration("Ann") },
  );
  const token = textAt(registered, "data.register.jwt");
  const { body: loggedIn } = await app.graphql(
    "mutation ($input: UsersPermissionsLoginInput!) { login(input: $input) { user { id } } }",
    { input: { identifier: "Ann", password: registration("Ann").password } },
  );
  const { body: me } = await app.graphql("{ me { id } }", {}, { token });
  const ids = [at(registered, "data.register.user.id"), at(loggedIn, "data.login.user.id"), at(me, "data.me.id")];
  expect(new Set(ids).size).toBe(1);
  if (format === "flat") return;
  const { body: listed } = await app.graphql(
    "query ($id: ID!) { usersPermissionsUser(id: $id) { data { id } } }",
    { id: ids[0] },
    { token },
  );
  expect(at(listed, "data.usersPermissionsUser.data.id")).toBe(ids[0]);
});

test("a role never lists its users over REST, however it is asked", async () => {
  const app = await exampleApp(onTestFinished, await exampleDatabase());
  await app.send("POST", "/api/auth/local/register", { body: registration("Ann") });
  const token = await app.token(...["user.find", "role.find"].map((name) => `plugin::users-permissions.${name}`));
  for (const populate of [
    "populate[role][populate]=users",
    "populate[role][populate][users]=true",
    "populate[role][populate]=*",
    "populate[0]=role.users",
  ]) {
    const answer = await app.send("GET", `/api/users?${populate}`, { token });
    expect([populate, answer.status, at(answer.body, "0.role.name")]).toEqual([populate, 200, "Authenticated"]);
    expect([populate, at(answer.body, "0.role.users")]).toEqual([populate, undefined]);
  }
});
