"""The database itself refuses to change or delete a move, or to empty the log.

Tests empty whole databases between them; their connections say so in ``mexican_train.log``.
"""

from django.db import migrations

FORWARDS = """
create function refuse_to_rewrite_the_log() returns trigger language plpgsql as $$
begin
    raise exception 'The log of moves is append-only: % refused.', lower(tg_op)
        using errcode = 'integrity_constraint_violation';
end
$$;
create trigger the_log_is_append_only before update or delete on tables_move
    for each row execute function refuse_to_rewrite_the_log();
create trigger the_log_is_not_emptied before truncate on tables_move
    for each statement when (coalesce(current_setting('mexican_train.log', true), '') <> 'may be emptied')
    execute function refuse_to_rewrite_the_log();
"""
BACKWARDS = """
drop trigger the_log_is_not_emptied on tables_move;
drop trigger the_log_is_append_only on tables_move;
drop function refuse_to_rewrite_the_log();
"""


class Migration(migrations.Migration):
    dependencies = (("tables", "0001_initial"),)
    operations = (migrations.RunSQL(FORWARDS, BACKWARDS),)
