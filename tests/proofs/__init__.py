"""The long checks of what the house promises, as programs that end by themselves.

    python -m tests.proofs.chaos --kills 500       nothing acknowledged is lost when the house is killed
    python -m tests.proofs.power --cuts 1000       ... nor when the power fails between two writes
    python -m tests.proofs.lines --moves 100000    nothing is done twice on bad lines, and all see the same at the end
    python -m tests.proofs.troubles                a full disk, a lost file, a clock that jumps: play goes on after
    python -m tests.proofs.leaks --pairs 100000    what anybody is sent does not hang on what they may not know
    python -m tests.proofs.canary --matches 10000  no byte ever sent names a card that its reader was never shown
    python -m tests.proofs.workers                 a worker dies under play: another goes on, and nothing is lost
    python -m tests.proofs.timing --delays 5000    a bot's pause tells nothing

Each shows how far it is, can be bounded, prints one line of JSON with its figures and the machine's load, and fails if
a promise is broken, or if one of its mutants (the house with one fault put in on purpose) is not found out. The tests
in this folder run the same programs in short. docs/promises.md says what each showed last.
"""
