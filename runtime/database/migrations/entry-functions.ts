/**
 * SQL functions for the entries of components, which are stored as JSON. `cms migrate` creates them, and migrations
 * call them. A function must never change what it does, because committed migrations run again on other databases. All
 * functions return SQL null and JSON null unchanged.
 */

/** Applies an expression to the entry, unless it is null. */
const ofEntry = (expression: string): string =>
  `select case json_typeof(entry) when 'object' then ${expression} else entry end`;

/** Applies an expression to each entry of a list, or to a single entry. */
const ofEntries = (expression: string): string => `select case json_typeof(entries)
    when 'array' then (
      select coalesce(json_agg(${expression} order by position), '[]')
      from json_array_elements(entries) with ordinality as items (entry, position)
    )
    when 'object' then (select ${expression} from (select entries as entry) as items)
    else entries
  end`;

const sql = (signature: string, body: string): string =>
  `create or replace function ${signature} returns json language sql immutable as $$\n  ${body}\n$$;`;

const FUNCTIONS: readonly string[] = [
  // Renames fields, and keeps their order.
  sql(
    "galley_rename(entry json, names json)",
    ofEntry(`(
    select coalesce(json_object_agg(coalesce(names ->> key, key), value order by position), '{}')
    from json_each(entry) with ordinality as fields (key, value, position)
  )`),
  ),
  sql(
    "galley_remove(entry json, variadic gone text[])",
    ofEntry(`(
    select coalesce(json_object_agg(key, value order by position), '{}')
    from json_each(entry) with ordinality as fields (key, value, position)
    where key <> all (gone)
  )`),
  ),
  // Sets a field that exists to another value.
  sql(
    "galley_change(entry json, field text, changed json)",
    ofEntry(`(
    select coalesce(json_object_agg(key, case when key = field and json_typeof(value) <> 'null' then changed else value end order by position), '{}')
    from json_each(entry) with ordinality as fields (key, value, position)
  )`),
  ),
  // Sets fields: existing ones keep their places, new ones are appended.
  sql(
    "galley_add(entry json, added json)",
    ofEntry(`(
    select json_object_agg(coalesce(mine.key, new.key), case when new.key is null then mine.value else new.value end
      order by mine.position, new.position)
    from json_each(entry) with ordinality as mine (key, value, position)
    full join json_each(added) with ordinality as new (key, value, position) on mine.key = new.key
  )`),
  ),
  // The same, but creates the entry if it is null and any of the fields has a value.
  `create or replace function galley_fill(entry json, added json) returns json language plpgsql as $$
begin
  if json_typeof(entry) = 'object' then
    return galley_add(entry, added);
  elsif exists (select from json_each(added) where json_typeof(value) <> 'null') then
    return galley_add(json_build_object('id', nextval('component_ids')), added);
  end if;
  return entry;
end
$$;`,
  // Applies a function to each entry of a list: to those of one component, or to all if no component is named.
  `create or replace function galley_each_of(entries json, component text, change regproc) returns json language plpgsql as $$
declare
  changed json;
begin
  if json_typeof(entries) is distinct from 'array' then
    return entries;
  end if;
  execute format('select coalesce(json_agg(case when $2 is null or entry ->> ''__component'' = $2 then %s(entry) else entry end order by position), ''[]'')
    from json_array_elements($1) with ordinality as items (entry, position)', change) into changed using entries, component;
  return changed;
end
$$;`,
  `create or replace function galley_each(entries json, change regproc) returns json language sql as $$
  select galley_each_of(entries, null, change)
$$;`,
  // Removes the entries of some components from a dynamic zone.
  sql(
    "galley_without(entries json, variadic components text[])",
    `select case json_typeof(entries) when 'array' then (
    select coalesce(json_agg(entry order by position), '[]')
    from json_array_elements(entries) with ordinality as items (entry, position)
    where entry ->> '__component' <> all (components)
  ) else entries end`,
  ),
  // Whether a dynamic zone has entries of any of these components.
  `create or replace function galley_has(entries json, variadic components text[]) returns boolean language sql immutable as $$
  select json_typeof(entries) = 'array' and exists (
    select from json_array_elements(entries) as entry where entry ->> '__component' = any (components)
  )
$$;`,
  // Adds the name of its component to an entry, replaces it, or removes it.
  sql(
    "galley_name(entries json, component text)",
    ofEntries(`(
        select json_object_agg(key, value order by position)
        from (
          select '__component' as key, to_json(component) as value, 0 as position
          union all
          select fields.* from json_each(entry) with ordinality as fields (key, value, position) where key <> '__component'
        ) as named
      )`),
  ),
  // Turns a single value into a list of one; null stays null.
  sql(
    "galley_list(value json)",
    `select case when json_typeof(value) <> 'null' then json_build_array(value) else value end`,
  ),
  sql("galley_unname(entries json)", ofEntries("galley_remove(entry, '__component')")),
  sql(
    "galley_rename_components(entries json, names json)",
    ofEntries(`case when names -> (entry ->> '__component') is null then entry
        else galley_change(entry, '__component', names -> (entry ->> '__component')) end`),
  ),
  // Renames the types in relations to any type, which store the type with each document.
  sql(
    "galley_rename_types(entries json, names json)",
    ofEntries(`case when names -> (entry ->> '__type') is null then entry
        else galley_change(entry, '__type', names -> (entry ->> '__type')) end`),
  ),
  // Turn relations to one type into relations to any type, by adding the type's name; and the other way round, which
  // removes links to other types than those named.
  sql(
    "galley_type(links json, type text)",
    `select case json_typeof(links)
    when 'string' then json_build_object('documentId', links, '__type', type)
    when 'array' then (
      select coalesce(json_agg(json_build_object('documentId', link, '__type', type) order by position), '[]')
      from json_array_elements(links) with ordinality as items (link, position)
    )
    else links
  end`,
  ),
  sql(
    "galley_untype(links json, variadic types text[])",
    `select case json_typeof(links)
    when 'object' then case when links ->> '__type' = any (types) then links -> 'documentId' else 'null' end
    when 'array' then (
      select coalesce(json_agg(link -> 'documentId' order by position), '[]')
      from json_array_elements(links) with ordinality as items (link, position)
      where link ->> '__type' = any (types)
    )
    else links
  end`,
  ),
  // Prepares a conversion before the migration's transaction: creates a table for the converted values, and a trigger
  // that records which rows are written meanwhile ("late" rows, to be converted again). Does nothing if both exist.
  `create or replace function galley_prepare(source regclass, made text, variadic fields text[]) returns void language plpgsql as $body$
begin
  execute format('create unlogged table if not exists %I ("id" integer primary key, "late" boolean not null default false, %s)',
    made, (select string_agg(format('%I json', field), ', ') from unnest(fields) as field));
  execute format('create or replace function %I() returns trigger language plpgsql as $trigger$
    begin
      insert into %I ("id", "late") values (new."id", true) on conflict ("id") do update set "late" = true;
      return null;
    end $trigger$', made, made);
  if not exists (select from pg_trigger where tgrelid = source and tgname = made) then
    execute format('create trigger %I after insert or update on %s for each row
      when (current_setting(''galley.made'', true) is distinct from ''yes'') execute function %I()', made, source, made);
  end if;
end
$body$;`,
  `create or replace function galley_discard(source regclass, made text) returns void language plpgsql as $$
begin
  execute format('drop trigger if exists %I on %s', made, source);
  execute format('drop function if exists %I()', made);
  execute format('drop table if exists %I', made);
end
$$;`,
  // Prepares the conversion of a column: adds a second column for the converted values, and a trigger that fills it for
  // rows written meanwhile. Values that cannot be converted become null there, and the migration stops at those. Does
  // nothing if both exist. Triggers run in the order of their names: after "~", those of a user's own have run.
  `create or replace function galley_follow(source regclass, made text, type text, value text) returns void language plpgsql as $body$
begin
  execute format('alter table %s add column if not exists %I %s', source, made, type);
  execute format('create or replace function %I() returns trigger language plpgsql as $trigger$
    #variable_conflict use_column
    begin
      begin
        select (%s) into new.%I from (select new.*) as %I;
      exception when others then
        new.%I := null;
      end;
      return new;
    end $trigger$', made, value, made, (select relname from pg_class where oid = source), made);
  if not exists (select from pg_trigger where tgrelid = source and tgfoid = to_regproc(quote_ident(made))) then
    execute format('create trigger %I before insert or update on %s for each row
      when (current_setting(''galley.made'', true) is distinct from ''yes'') execute function %I()', '~' || made, source, made);
  end if;
end
$body$;`,
  // Replaces the original column by the converted one, and drops it with those of its indexes that are named. If other
  // objects (such as a user's own views) depend on the original column, they would be dropped too: then the original gets
  // the converted values, or is converted in place if they have another type, which PostgreSQL refuses below a view.
  `create or replace function galley_take(source regclass, field text, made text, type text, value text, variadic indexes text[] default '{}') returns void language plpgsql as $$
declare
  place smallint := (select attnum from pg_attribute where attrelid = source and attname = field and attacl is null);
  note text := col_description(source, place);
begin
  execute format('drop function if exists %I() cascade', made);
  if place is null or exists (
    select from pg_depend where refclassid = 'pg_class'::regclass and refobjid = source and refobjsubid = place and not
      (classid = 'pg_class'::regclass and objid in (select oid from pg_class where relkind = 'i' and relname = any (indexes)))
  ) then
    if (select count(distinct (atttypid, atttypmod)) = 1 from pg_attribute where attrelid = source and attname in (field, made)) then
      execute format('update %s set %I = %I where %I is not null', source, field, made, field);
    else
      execute format('alter table %s alter column %I type %s using (%I)', source, field, type, made);
    end if;
    execute format('alter table %s drop column %I', source, made);
  else
    execute format('alter table %s drop column %I', source, field);
    execute format('alter table %s rename column %I to %I', source, made, field);
    execute format('comment on column %s.%I is %L', source, field, note);
  end if;
end
$$;`,
  `create or replace function galley_leave(source regclass, made text) returns void language plpgsql as $$
begin
  execute format('drop function if exists %I() cascade', made);
  execute format('alter table %s drop column if exists %I', source, made);
end
$$;`,
  // Raise an error for a value that the new declaration does not allow.
  `create or replace function galley_one_of(value json, allowed text[], place text) returns json language plpgsql as $$
begin
  if json_typeof(value) <> 'null' and value #>> '{}' <> all (allowed) then
    raise exception '% has the value "%", which is no longer allowed: change that first, or say with "renamedValues" what it is called now', place, value #>> '{}';
  end if;
  return value;
end
$$;`,
  `create or replace function galley_fitting(value text, longest integer, place text) returns text language plpgsql as $$
begin
  if length(value) > longest then
    raise exception '% has a text of % characters, and % is the most: shorten it first', place, length(value), longest;
  end if;
  return value;
end
$$;`,
];

/** The SQL that creates all functions, or replaces them by their current definitions. */
export const ENTRY_FUNCTIONS = FUNCTIONS.join("\n\n");
