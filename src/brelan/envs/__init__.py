"""The games as environments of others' frameworks, all from one compiled source.

    brelan.envs.pettingzoo     AEC and parallel: every seat an agent            (extra `pettingzoo`)
    brelan.envs.gym            Gymnasium: one match, or thousands in arrays      (extra `gym`)
    brelan.envs.openspiel      Python games of OpenSpiel: `python_brelan_gin` …  (extra `openspiel`)

What an observation holds, number by number, stands in docs/environments.md. Only this package knows those frameworks.
"""
