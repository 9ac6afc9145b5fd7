import { Checkbox, SimpleGrid, Text } from "@mantine/core";
import { labelOf, type Model, useModel } from "../api/description.ts";

/** The part of an action that names what it is for: `api::article.article`. */
const ownerOf = (action: string): string => action.slice(0, action.lastIndexOf("."));

const nameOf = (action: string): string => labelOf({}, action.slice(action.lastIndexOf(".") + 1));

const ownerName = (model: Model, owner: string): string =>
  model.type(owner)?.displayName ??
  owner
    .replace(/^\w+::/, "")
    .split(".")
    .map((word) => labelOf({}, word))
    .join(": ");

interface Props {
  readonly actions: readonly string[];
  readonly chosen: ReadonlySet<string>;
  readonly readOnly: boolean;
  /** A remark on an action: that it covers some documents or languages only. */
  readonly remark?: (action: string) => string | undefined;
  change(chosen: ReadonlySet<string>): void;
}

/** What a role may do, only to be read. */
const Granted = ({ name, actions, remark }: Pick<Props, "actions" | "remark"> & { readonly name: string }) =>
  actions.length === 0 ? null : (
    <section className="permissions" aria-label={name}>
      <Text size="sm" fw={600} mb={6}>
        {name}
      </Text>
      <SimpleGrid component="ul" cols={{ base: 1, xs: 2, md: 3 }} spacing={6} m={0} p={0} style={{ listStyle: "none" }}>
        {actions.map((action) => (
          <Text key={action} component="li" size="sm" title={action}>
            {nameOf(action)}
            <Text span size="xs" c="dimmed" ml={6}>
              {remark?.(action)}
            </Text>
          </Text>
        ))}
      </SimpleGrid>
    </section>
  );

const Owner = ({ owner, actions, chosen, readOnly, remark, change }: Props & { readonly owner: string }) => {
  const model = useModel();
  const name = ownerName(model, owner);
  const granted = actions.filter((action) => chosen.has(action));
  const set = (some: readonly string[], isOn: boolean): void => {
    const next = new Set(chosen);
    for (const action of some) {
      if (isOn) next.add(action);
      else next.delete(action);
    }
    change(next);
  };
  if (readOnly) return <Granted name={name} actions={granted} remark={remark} />;
  return (
    <fieldset className="permissions">
      <legend>
        <Checkbox
          size="xs"
          fw={600}
          label={name}
          checked={granted.length === actions.length}
          indeterminate={granted.length > 0 && granted.length < actions.length}
          onChange={(event) => set(actions, event.currentTarget.checked)}
        />
      </legend>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing={6} pl={28}>
        {actions.map((action) => (
          <Checkbox
            key={action}
            size="xs"
            label={nameOf(action)}
            title={action}
            checked={chosen.has(action)}
            onChange={(event) => set([action], event.currentTarget.checked)}
          />
        ))}
      </SimpleGrid>
    </fieldset>
  );
};

/** Chooses actions, grouped by the content type or the part of the server that they are for. */
export const PermissionChoice = ({ actions, ...props }: Props) => {
  const owners = [...new Set(actions.map(ownerOf))].sort((one, other) => {
    const [first, second] = [one.startsWith("api::"), other.startsWith("api::")];
    return first === second ? one.localeCompare(other) : first ? -1 : 1;
  });
  return owners.map((owner) => (
    <Owner key={owner} owner={owner} actions={actions.filter((action) => ownerOf(action) === owner)} {...props} />
  ));
};
