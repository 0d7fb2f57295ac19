"""A table gets a game, and what a round was dealt with becomes one column that each game fills as it likes.

The columns ``engine``, ``first_seat`` and ``starter`` stay in the database for this release, because processes of the
release before still read and write them. A trigger keeps both sides equal. The next release drops them with the trigger.
"""

from django.db import migrations, models

COPY = """
update tables_round
   set facts = jsonb_build_object('engine', engine, 'first_seat', first_seat, 'starter', starter)
 where engine is not null;
"""
COPY_BACK = """
update tables_round
   set engine = (facts ->> 'engine')::smallint, first_seat = (facts ->> 'first_seat')::smallint,
       starter = (facts ->> 'starter')::smallint
 where facts ? 'engine';
"""
KEEP_EQUAL = """
create function keep_facts_of_round_equal() returns trigger language plpgsql as $$
begin
    if new.facts = '{}' and new.engine is not null
       or tg_op = 'UPDATE' and new.facts = old.facts
       and (new.engine, new.first_seat, new.starter) is distinct from (old.engine, old.first_seat, old.starter) then
        new.facts := jsonb_build_object('engine', new.engine, 'first_seat', new.first_seat, 'starter', new.starter);
    elsif new.facts ? 'engine' then
        new.engine := (new.facts ->> 'engine')::smallint;
        new.first_seat := (new.facts ->> 'first_seat')::smallint;
        new.starter := (new.facts ->> 'starter')::smallint;
    end if;
    return new;
end
$$;
create trigger facts_of_round_are_kept_equal before insert or update on tables_round
    for each row execute function keep_facts_of_round_equal();
"""
LET_GO = """
drop trigger facts_of_round_are_kept_equal on tables_round;
drop function keep_facts_of_round_equal();
"""


class Migration(migrations.Migration):
    dependencies = (("tables", "0015_clock_by_consent"),)

    operations = (
        migrations.AddField(
            "table", "game", models.CharField(max_length=20, default="mexican_train", db_default="mexican_train")
        ),
        migrations.AlterField(
            "table", "engine_version", models.PositiveSmallIntegerField(help_text="The version of the game's rules.")
        ),
        migrations.AddField(
            "round",
            "facts",
            models.JSONField(
                default=dict,
                db_default={},
                help_text="What it was dealt with besides the order, as its game decided it.",
            ),
        ),
        migrations.RunSQL(COPY, COPY_BACK),
        migrations.RunSQL(KEEP_EQUAL, LET_GO),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveField("round", "engine"),
                migrations.RemoveField("round", "first_seat"),
                migrations.RemoveField("round", "starter"),
            ]
        ),
    )
