"""Whatever the API's own schema allows, what it does not, and noise on the sockets. The long form: `make fuzz`."""

import asyncio
import os
import sys

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.config import SchemathesisConfig

from brelan.server.api.openapi import document
from brelan.server.api.routes import routes
from brelan.words import Words
from tests.fuzz import Leaping, run
from tests.server.clients import Guest, Program, play
from tests.server.conftest import Running

EXAMPLES = int(os.environ.get("BRELAN_EXAMPLES", "8"))  # of each route
MESSAGES = int(os.environ.get("BRELAN_MESSAGES", "3000"))

PATIENCE = 0.02  # seconds that a request may wait for news here, whatever it asks for


class House(Running):
    """A house whose buckets are never empty, with a table, a match that is over, and a token that may do everything."""

    def __init__(self, folder):
        super().__init__(folder)
        visits = self.house.visits
        look, self.house.limits.clock = visits.look, Leaping()
        visits.look = lambda room, viewer, since, wait: look(room, viewer, since, min(wait, PATIENCE))
        self.guest = Guest(self.address)
        line = self.guest.line(self.guest.make(**{"option.target": "1"}))
        play(line)
        self.match, self.code = line.view["table"]["match"], self.guest.make()
        self.program = Program(self.guest)

    def stop(self):
        self.program.close()
        self.guest.close()
        super().stop()


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    house = House(tmp_path_factory.mktemp("fuzz"))
    yield house
    house.stop()


@pytest.fixture(scope="module")
def schema(house):
    """The document, whose paths name what there is as often as what there is not."""
    told = document(routes, Words("en"))
    real = {"code": [house.code, "zzzzzz"], "match": [house.match, "abc-0123456789abcdef"]}
    for operation in (operation for methods in told["paths"].values() for operation in methods.values()):
        for parameter in operation["parameters"]:
            if parameter["name"] in real and parameter["in"] == "path":
                parameter["schema"] = {"type": "string", "enum": real[parameter["name"]]}
    config = SchemathesisConfig.from_dict(
        {"checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "403", "404", "409", "422"]}}}
    )
    return schemathesis.openapi.from_dict(told, config=config)


@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning")  # the house's thread draws too
@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("route", routes.all, ids=lambda route: route.name)
def test_the_api_keeps_to_its_schema(schema, house, route, mode):
    """No fault of the server, no answer beside the schema, nothing malformed let through, nobody without a token."""
    own = route.scope == "own"
    headers = {"origin": house.address.rstrip("/")} if own else {"Authorization": f"Bearer {house.program.token}"}
    cookies = dict(house.guest.http.cookies) if own else None
    operation = schema[routes.prefix + route.path][route.method]

    @given(operation.as_strategy(generation_mode=mode))
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def asked(case):
        case.call_and_validate(base_url=house.address, headers=headers, cookies=cookies)

    asked()


def test_every_check_is_made():
    names = {check.__name__ for check in CHECKS.get_all()}
    assert {"not_a_server_error", "response_schema_conformance", "negative_data_rejection", "ignored_auth"} <= names


def test_sockets_under_fire(tmp_path):
    """Noise, the protocol's grammar with wild values, and good moves between: no fault, no leak, and play goes on."""
    fire, grown = asyncio.run(run(tmp_path, MESSAGES, 1, tell=lambda line: print(line, file=sys.stderr)))
    assert not fire.faults.found
    assert fire.looked > 10
    assert grown < 50
