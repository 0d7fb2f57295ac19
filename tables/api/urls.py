"""The addresses of the API calls about tables."""

from django.urls import path

from tables.api import clock, lobby, my_events, pictures, players, playing, records, rounds, rules, sheets, waiting

TABLE = "tables/<id:table_id>"

urlpatterns = [
    path(f"{TABLE}/position", playing.PositionView.as_view(), name="position"),
    path(f"{TABLE}/moves", playing.MovesView.as_view()),
    path(f"{TABLE}/events", waiting.EventsView.as_view()),
    path(f"{TABLE}/board.svg", pictures.BoardView.as_view(), name="board"),
    path(f"{TABLE}/explain", playing.ExplainView.as_view()),
    path(f"{TABLE}/hint", playing.HintView.as_view()),
    path("bots", lobby.BotsView.as_view()),
    path("rules/presets", rules.PresetsView.as_view()),
    path("rules/presets/<str:name>", rules.PresetView.as_view()),
    path("rules/presets/<str:name>/diff/<str:other>", rules.PresetDifferencesView.as_view()),
    path("rules/options", rules.OptionsView.as_view()),
    path("rules/check", rules.CheckView.as_view()),
    path("players/me/tables", players.MyTablesView.as_view()),
    path("players/me/events", my_events.MyEventsView.as_view()),
    path("players/me/export", players.ExportView.as_view()),
    path("players/<id:player_id>", players.PlayerView.as_view()),
    path("tables", lobby.TablesView.as_view()),
    path("invites/<str:code>", lobby.InviteView.as_view()),
    path("tables/join", lobby.JoinView.as_view()),
    path(TABLE, lobby.TableView.as_view(), name="table"),
    path(f"{TABLE}/seats", lobby.SeatsView.as_view()),
    path(f"{TABLE}/seats/<int:number>", lobby.SeatView.as_view()),
    path(f"{TABLE}/seats/<int:number>/bot", lobby.BotSeatView.as_view()),
    path(f"{TABLE}/rules", sheets.SheetView.as_view()),
    path(f"{TABLE}/invite", lobby.RenewInviteView.as_view()),
    path(f"{TABLE}/clock", clock.ClockView.as_view()),
    path(f"{TABLE}/start", lobby.StartView.as_view()),
    path(f"{TABLE}/cancel", lobby.CancelView.as_view()),
    path(f"{TABLE}/rematch", lobby.RematchView.as_view()),
    path(f"{TABLE}/rounds", rounds.RoundsView.as_view()),
    path(f"{TABLE}/rounds/<int:number>", rounds.RoundView.as_view()),
    path(f"{TABLE}/rounds/<int:number>/deal", rounds.DealView.as_view()),
    path(f"{TABLE}/positions/<int:number>", rounds.PastPositionView.as_view()),
    path(f"{TABLE}/positions/<int:number>/board.svg", pictures.PastBoardView.as_view()),
    path(f"{TABLE}/record", records.RecordView.as_view()),
    path("records/check", records.CheckRecordView.as_view()),
    path(f"{TABLE}/client-seed", rounds.ClientSeedView.as_view()),
]
