/** The routes of whoever runs the server. */
import { expect, onTestFinished, test } from "vitest";
import { firstPanelUser } from "../../runtime/accounts/roles/panel-roles.ts";
import type { ConfigInput } from "../../runtime/config/config.ts";
import { createActivity } from "../../runtime/telemetry/activity.ts";
import { registration } from "../support/auth-app.ts";
import { exampleApp, exampleDatabase } from "../support/example-app.ts";

const withPanel = async (config: ConfigInput = {}) =>
  exampleApp(onTestFinished, await exampleDatabase(), { panel: {}, ...config });

const register = (defaultRole: string) => ({ auth: { register: { enabled: true, defaultRole } } });

test("a token is created, shown once, used and revoked, by those alone who may", async () => {
  const app = await withPanel();
  const send = (method: string, path: string, token: string, data?: object) =>
    app.send(method, path, { token, ...(data ? { body: { data } } : {}) });
  const reader = await app.token("api::tag.tag.find");
  const wanted = { name: "Site", type: "custom", permissions: ["api::tag.tag.find"] };
  for (const [method, path] of [
    ["GET", "/api/api-tokens"],
    ["POST", "/api/api-tokens"],
    ["DELETE", "/api/api-tokens/1"],
    ["POST", "/api/users/1/invitation"],
    ["GET", "/api/panel/activity"],
    ["GET", "/api/panel/findings"],
  ] as const)
    expect([path, (await send(method, path, reader, method === "POST" ? wanted : undefined)).status]).toEqual([
      path,
      403,
    ]);

  const token = await app.token();
  const refused = async (data: object): Promise<string> => {
    const { status, body } = await send("POST", "/api/api-tokens", token, data);
    expect(status).toBe(400);
    return (body as { error: { message: string } }).error.message;
  };
  expect(await refused({ ...wanted, permissions: ["api::tag.tag.fnid"] })).toBe(
    'There is no action "api::tag.tag.fnid"',
  );
  expect(await refused({ ...wanted, permissions: [] })).toContain("a custom token needs permissions");
  expect(await refused({ name: "", type: "everything" })).toContain("2 errors");
  expect(await refused({ ...wanted, expiresAt: "tomorrow" })).toContain("expiresAt");

  const created = await send("POST", "/api/api-tokens", token, wanted);
  expect(created.status).toBe(201);
  const { id, secret } = (created.body as { data: { id: number; secret: string } }).data;
  expect(await refused(wanted)).toBe('There is a token "Site" already');
  const twins = await Promise.all(
    [1, 2, 3].map(() => send("POST", "/api/api-tokens", token, { ...wanted, name: "Twin" })),
  );
  expect(twins.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
  const listed = await send("GET", "/api/api-tokens", token);
  expect(listed.body).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ id, ...wanted })]) });
  expect(listed.text).not.toContain(secret);
  expect((await send("GET", "/api/tags", secret)).status).toBe(200);
  expect((await send("GET", "/api/authors", secret)).status).toBe(403);
  expect((await send("DELETE", `/api/api-tokens/${id}`, token)).status).toBe(204);
  expect((await send("DELETE", `/api/api-tokens/${id}`, token)).status).toBe(404);
  await expect.poll(async () => (await send("GET", "/api/tags", secret)).status).toBe(401);
});

test("an invitation sets a password once, and nobody can take it back by asking for a new password", async () => {
  const app = await withPanel({ auth: { jwt: { mode: "legacy" } } });
  const token = await app.token();
  await app.send("POST", "/api/auth/local/register", { body: registration("ada") });
  const user = (await app.send("GET", "/api/users", { token })).body as { id: number; email: string }[];
  const path = `/api/users/${user[0]?.id}/invitation`;
  const { link, isMailed } = ((await app.send("POST", path, { token })).body as { data: Record<string, unknown> }).data;
  expect([link, isMailed]).toEqual([expect.stringMatching(/\/admin\/welcome#[0-9a-f]{128}$/), false]);
  await app.send("POST", "/api/auth/forgot-password", { body: { email: user[0]?.email } });
  await app.services.background.settled();
  const code = String(link).split("#")[1];
  const set = () =>
    app.send("POST", "/api/auth/reset-password", {
      body: { code, password: "low water at nine", passwordConfirmation: "low water at nine" },
    });
  expect((await set()).status).toBe(200);
  expect((await set()).status).toBe(400);
  expect((await app.send("POST", "/api/users/999/invitation", { token })).status).toBe(404);
});

/** The status of an answer, and its message if it is an error. */
const refusal = ({ status, body }: { status: number; body: unknown }): unknown[] => [
  status,
  (body as { error?: { message: string } }).error?.message,
];

test("nobody gives a token, or a user by a link, more than they may do themselves", async () => {
  const app = await withPanel({ fields: { authenticated: { "api::tag.tag": { read: ["name"] } } } });
  const may = ["plugin::panel.token.create", "plugin::panel.user.invite", "api::tag.tag.find"];
  let made = 0;
  const create = async (token: string, data: object) => {
    made += 1;
    return refusal(
      await app.send("POST", "/api/api-tokens", { token, body: { data: { name: `token ${made} of many`, ...data } } }),
    );
  };
  const invite = async (token: string, id: unknown) =>
    refusal(await app.send("POST", `/api/users/${String(id)}/invitation`, { token }));
  const some = await app.token(...may);
  const custom = { type: "custom", permissions: ["api::tag.tag.find"] };
  const over = { type: "custom", permissions: ["api::tag.tag.find", "api::tag.tag.delete"] };
  expect(await create(some, custom)).toEqual([201, undefined]);
  expect(await create(some, over)).toEqual([403, "Such a token may do what you may not: api::tag.tag.delete"]);
  const more = expect.stringMatching(/^Such a token may do what you may not: /);
  expect(await create(some, { type: "full-access" })).toEqual([403, more]);
  expect(await create(some, { type: "read-only" })).toEqual([403, more]);

  await app.allowUsers(...may);
  const register = async (name: string) => {
    const { body } = await app.send("POST", "/api/auth/local/register", { body: registration(name) });
    return body as { jwt: string; user: { id: number } };
  };
  const [ada, bob] = [await register("ada"), await register("bob")];
  await firstPanelUser(app.services, ["administrator"]);
  const users = await app.send("GET", "/api/users?filters[username]=admin", { token: await app.token() });
  const [admin] = users.body as { id: number }[];
  expect(await invite(some, ada.user.id)).toEqual([
    403,
    expect.stringContaining("This user may do what you may not: "),
  ]);
  const actions = [...(app.services.auth.roles.byType("authenticated")?.actions ?? [])];
  expect(await invite(await app.token(...actions), ada.user.id)).toEqual([200, undefined]);
  expect(await invite(await app.token(...actions), admin?.id)).toEqual([403, expect.any(String)]);
  // Ada sees only the names of tags, and a token would see all of them.
  const whole = "may do more than you, who may use only some documents or attributes";
  expect(await create(ada.jwt, custom)).toEqual([403, `Such a token ${whole}`]);
  expect(await invite(ada.jwt, bob.user.id)).toEqual([200, undefined]);
  expect(await invite(ada.jwt, admin?.id)).toEqual([403, `This user ${whole}`]);
});

test("editors get no action of administrators, and nobody who registers gets a role of the panel", async () => {
  const app = await withPanel();
  const may = (type: string) => [...(app.services.auth.roles.byType(type)?.actions ?? [])];
  expect(may("administrator")).toContain("plugin::panel.token.create");
  expect(may("editor").filter((action) => action.startsWith("plugin::panel."))).toEqual([]);
  await expect(withPanel(register("administrator"))).rejects.toThrow(
    'auth.register.defaultRole: "administrator" is a role of the panel',
  );
  await expect(withPanel(register("editor"))).rejects.toThrow("is a role of the panel");
  const readers = await withPanel({ ...register("editor"), permissions: { editor: ["api::tag.tag.find"] } });
  expect(await firstPanelUser(readers.services, ["administrator"])).toContain("/welcome#");
});

test("the activity of the last day has 24 hours, and the publications of each", async () => {
  const app = await withPanel();
  const token = await app.token();
  for (const title of ["One", "Two"])
    await app.send("POST", "/api/articles", { token, body: { data: { title, slug: title.toLowerCase() } } });
  const published = async (caller: string): Promise<number> => {
    const { body } = await app.send("GET", "/api/panel/activity", { token: caller });
    const { data } = body as { data: { publications: number }[] };
    expect(data).toHaveLength(24);
    return data.reduce((sum, { publications }) => sum + publications, 0);
  };
  expect(await published(token)).toBe(2);
  // Articles are not for this caller.
  expect(await published(await app.token("plugin::panel.activity.read", "api::author.author.find"))).toBe(0);
});

test("requests are counted by the hour, and forgotten after a day", () => {
  let now = Date.parse("2026-11-26T10:59:00Z");
  const { observe, read } = createActivity(() => now);
  const end = (status: number): void => observe({ status } as Parameters<typeof observe>[0]);
  for (const status of [200, 404, 500, 499, 304]) end(status);
  now += 120_000;
  end(200);
  expect(read().hours.slice(-2)).toEqual([
    { at: "2026-11-26T10:00:00.000Z", requests: 5, refused: 2, failed: 1 },
    { at: "2026-11-26T11:00:00.000Z", requests: 1, refused: 0, failed: 0 },
  ]);
  now += 24 * 3_600_000;
  end(200);
  expect(read().hours.map(({ requests }) => requests)).toEqual([...Array.from({ length: 23 }, () => 0), 1]);
});
