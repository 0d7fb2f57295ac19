# Commands for one machine: `make run` starts the server, `make test` runs the tests. Both create the environment first.

PYTHON_IN := .venv/bin/python
PRODUCTION = DEBUG=no ALLOWED_HOSTS=example.org PUBLIC_URL=https://example.org \
	SECRET_KEY=$$($(PYTHON_IN) -c 'import secrets; print(secrets.token_urlsafe(64))')
UNCONNECTED = SECRET_KEY=unused-but-at-least-32-characters-long DATABASE_URL=postgresql:///unused

.DEFAULT_GOAL := help
.PHONY: help run test test-all quick manage bench bench-peers lint types check production-checks messages schema release-schema \
	clean environment-local environment-dev

help:
	@echo "make run      start everything; PORT=8000 HOST=127.0.0.1 DATA_DIR=.data, DATABASE_URL and REDIS_URL for your own servers"
	@echo "make test     run the tests that are not slow; ARGS='tests/rules -x' chooses"
	@echo "make test-all run all tests, and check that those of the rules take every branch; ARGS chooses, without the check"
	@echo "make quick    a minute of tests from every part"
	@echo "make manage   a command of manage.py with this machine's data; ARGS=check_logs, ARGS='simulate --deals 100 hard easy'"
	@echo "make bench    measure what docs/benchmarks.md claims; ARGS=--lateness for deadlines and bots too"
	@echo "make bench-peers  measure beside boardgame.io, which npm installs into bench/boardgameio"
	@echo "make schema   write docs/openapi.json anew; at a release, make release-schema keeps it as docs/openapi-released.json"
	@echo "make lint     style, types and the direction of imports"
	@echo "make check    everything CI does except the tests"
	@echo "make messages bring the files of words/locale, which are translated, up to date with the code"
	@echo "make clean    delete the environment and the caches; .data with the games in it stays"
	@echo "PYTHON=python3.12 chooses the Python (3.11 to 3.14) the environment is made with."

run: environment-local
	@exec $(PYTHON_IN) -m local run

# Without bytecode, both processes compile all tests again in each run, which costs many seconds. So keep it in any case.
RUN_TESTS = exec env PYTHONDONTWRITEBYTECODE= $(PYTHON_IN) -m pytest -n 2
test: environment-dev
	@$(RUN_TESTS) -m "not slow" --ignore=tests/acceptance --hypothesis-profile=quick $(ARGS)

# Tests must take every branch of the rules. Tests marked by_chance do not count, because they play at random.
COVERAGE = --cov=rules --cov-branch --cov-report=term-missing:skip-covered --cov-fail-under=100
test-all: environment-dev
	@$(RUN_TESTS) $(or $(ARGS),$(COVERAGE))

# A minute of tests from every part, for example to try another Python or another machine.
QUICK = tests/rules/test_scenarios.py tests/config/test_defaults.py tests/local/test_servers.py tests/tables/test_moves.py \
	tests/tables/test_start.py tests/tables/test_tasks.py tests/clients/test_retries.py tests/rest/test_optimised.py \
	tests/acceptance/test_readme.py
quick: environment-dev
	@$(RUN_TESTS) -q $(QUICK) $(ARGS)

lint: environment-dev
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	@$(MAKE) --no-print-directory types
	.venv/bin/lint-imports

# The plugin for Django reads the settings, which require these variables; nothing connects to the database.
types: environment-dev
	$(UNCONNECTED) $(PYTHON_IN) -m mypy
	cd clients/python && ../../$(PYTHON_IN) -m mypy

# Without the examples: they are not part of the contract, and change whenever they are recorded.
schema: environment-dev
	$(UNCONNECTED) $(PYTHON_IN) manage.py spectacular --format openapi-json --validate --fail-on-warn \
		--custom-settings rest.schema.WITHOUT_EXAMPLES --file docs/openapi.json

release-schema: schema
	$(PYTHON_IN) -m tests.rest.compatibility

check: lint
	@$(PYTHON_IN) -m local.registries
	@$(PYTHON_IN) -m local.wheels
	@$(PRODUCTION) $(PYTHON_IN) -m local servers -- $(MAKE) --no-print-directory production-checks

production-checks:
	$(PYTHON_IN) manage.py makemigrations --check --dry-run
	$(PYTHON_IN) manage.py check --deploy --fail-level WARNING
	$(PYTHON_IN) manage.py spectacular --validate --fail-on-warn --file /dev/null

environment-local environment-dev: environment-%:
	@PYTHON="$(PYTHON)" sh local/environment.sh $*

messages: environment-dev
	@$(PYTHON_IN) -m words.collect

manage: environment-local
	@exec $(PYTHON_IN) -m local manage $(ARGS)

bench: environment-dev
	@$(PYTHON_IN) -m local servers -- $(PYTHON_IN) -m bench $(ARGS)

bench-peers: environment-dev
	@$(PYTHON_IN) -m local servers -- $(PYTHON_IN) -m bench.peers

clean:
	rm -rf .venv .mypy_cache clients/python/.mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
