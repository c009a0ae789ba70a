"""Twins that only other twins call: typed and lowered, but turned into machine code only within their callers.

numba makes of each function that it compiles, with all that it calls, machine code of its own, ready to be called from
Python. Of a chain of calls it so optimizes the last function again and again, and throws all but one result away: more
than half of the time that a game took. A part is handed on as it was lowered; the twin that Python calls is optimized
once, with all its parts in it, to the same code.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import NativeLowering


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code to be linked into other code."""

    def _optimize_final_module(self) -> None:
        """Its callers are."""

    def _finalize_final_module(self) -> None:
        """It runs in its callers only."""
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=False)
class Handing(LoweringPass):  # type: ignore[misc]
    """Makes a lowered part known to its callers, under a function that is never called."""

    _name = "hand_part_to_callers"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """What numba does with machine code, without any."""
        made, name = state.cr, state.func_id.func_qualname
        key = _dynfunc.make_function(made.fndesc.lookup_module(), name, "a part of twins", 0, made.env, ())
        state.targetctx.insert_user_function(key, made.fndesc, [state.library])
        state.cr = made._replace(cfunc=key)
        return True


class PartCompiler(CompilerBase):  # type: ignore[misc]
    """numba's compiler, which stops before machine code."""

    def define_pipelines(self) -> list[Any]:
        """The usual passes."""
        self.state.library = PartLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.flags.no_compile = True
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(Handing, NativeLowering)
        passes.finalize()
        return [passes]
