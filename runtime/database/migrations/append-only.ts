/** The trigger function of tables whose rows must stay as they are, which `cms migrate` creates. */

/** The setting that allows a transaction to delete expired rows of the table that it names. */
export const RETENTION = "galley.retention";

export const APPEND_ONLY = `
create or replace function galley_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('${RETENTION}', true) = tg_table_name then return null; end if;
  raise exception 'rows of % can neither be changed nor deleted', tg_table_name using errcode = 'insufficient_privilege';
end $$;`;
