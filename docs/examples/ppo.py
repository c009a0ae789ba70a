"""Learn a game by proximal policy optimization (Schulman and others 2017), in NumPy, on one core, in minutes.

    python docs/examples/ppo.py                             # one round of Compañeros against two novices
    python docs/examples/ppo.py --game mio --opponents random --plot curve.svg

The policy and the value share one hidden layer; moves that are not legal get no weight. Whatever is on top of this
(larger nets, self-play by `opponents="self"`, another framework) begins with the same loop over a vector environment.
"""

from __future__ import annotations

import argparse
import time

import gymnasium
import numpy as np

import brelan.envs.gym  # noqa: F401  (registers the games)

ROUND = {"gin": {"target": 1}, "mio": {"target": 1}, "hawaiki": {"tokens": 1}}
"""Options that make a match one round: what was played well is paid sooner."""

GAMMA, LAMBDA, CLIP, RATE, EPOCHS, BATCH, ENTROPY = 0.995, 0.95, 0.2, 1e-3, 3, 1024, 0.01


class Net:
    """Observation -> hidden layer -> a weight for each move, and a value; trained by Adam."""

    def __init__(self, inputs: int, moves: int, hidden: int, chance: np.random.Generator) -> None:
        def layer(rows, columns, scale):
            return (chance.standard_normal((rows, columns)) * scale / np.sqrt(rows)).astype(np.float32)

        self.weights = [layer(inputs + 1, hidden, 1.0), layer(hidden + 1, moves, 0.01), layer(hidden + 1, 1, 0.1)]
        self.means = [np.zeros_like(w) for w in self.weights]
        self.squares = [np.zeros_like(w) for w in self.weights]
        self.steps = 0

    def forward(self, seen, mask):
        """The hidden layer, the probabilities of the moves, and the value; a row each."""
        hidden = with_one(np.tanh(seen @ self.weights[0]))
        scores = np.where(mask, hidden @ self.weights[1], -1e9)
        chances = np.exp(scores - scores.max(1, keepdims=True)) * mask + 1e-12 * mask
        total = chances.sum(1, keepdims=True)
        return hidden, chances / np.where(total, total, 1), (hidden @ self.weights[2])[:, 0]

    def backward(self, seen, hidden, to_scores, to_value):
        """A step of Adam against the gradients of scores and value."""
        back = to_scores @ self.weights[1][:-1].T + to_value[:, None] @ self.weights[2][:-1].T
        back *= 1 - hidden[:, :-1] ** 2
        self.steps += 1
        for i, slope in enumerate([seen.T @ back, hidden.T @ to_scores, hidden.T @ to_value[:, None]]):
            self.means[i] += 0.1 * (slope - self.means[i])
            self.squares[i] += 0.001 * (slope**2 - self.squares[i])
            mean, square = self.means[i] / (1 - 0.9**self.steps), self.squares[i] / (1 - 0.999**self.steps)
            self.weights[i] -= (RATE * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def with_one(rows):
    """A column of ones beside the others: it carries the bias."""
    return np.concatenate([rows, np.ones((len(rows), 1), np.float32)], 1)


def inputs_of(env, observation):
    """Numbers about as large as one: counts by what they may be at most, unbounded ones damped."""
    most = np.minimum(env.single_observation_space["observation"].high, 30)
    return with_one(np.sign(observation) * np.log1p(np.abs(observation)) / np.log1p(most)).astype(np.float32)


def learn(net, seen, mask, moves, before, gains, returns, chance):
    """The clipped objective with a value and an entropy term, a few times over everything that was played."""
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    for _ in range(EPOCHS):
        for rows in np.array_split(chance.permutation(len(seen)), max(1, len(seen) // BATCH)):
            hidden, chances, values = net.forward(seen[rows], mask[rows])
            each = np.arange(len(rows))
            ratio = chances[each, moves[rows]] / before[rows]
            gain = gains[rows]
            inside = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
            chosen = np.zeros_like(chances)
            chosen[each, moves[rows]] = 1
            to_scores = -(inside * ratio * gain)[:, None] * (chosen - chances)
            logs = np.log(np.maximum(chances, 1e-12))
            to_scores += ENTROPY * chances * (logs - (chances * logs).sum(1, keepdims=True))
            to_value = 0.5 * (values - returns[rows])
            net.backward(seen[rows], hidden, to_scores / len(rows), to_value / len(rows))


def train(game, opponents, rounds, matches=256, steps=32, hidden=128, seed=1, say=print):
    """The mean points of the matches that ended in each round of learning."""
    chance = np.random.default_rng(seed)
    env = gymnasium.make_vec(
        f"Brelan/{game}-v1", num_envs=matches, vectorization_mode="vector_entry_point",
        opponents=opponents, options=ROUND.get(game, {}),
    )  # fmt: skip
    size, moves = env.single_observation_space["observation"].shape[0], env.single_action_space.n
    net, curve, began = Net(size, moves, hidden, chance), [], time.time()
    at, _ = env.reset(seed=seed)
    over, unit, total = np.zeros(matches, bool), 1.0, np.zeros(matches)
    for number in range(rounds):
        played, paid = [], []
        for _ in range(steps):
            seen, mask = inputs_of(env, at["observation"]), at["action_mask"].astype(bool)
            _, chances, values = net.forward(seen, mask)
            actions = (chances.cumsum(1) > chance.random((matches, 1)) * chances.sum(1, keepdims=True)).argmax(1)
            was_over, alone = over, chances[np.arange(matches), actions]
            at, reward, over, _, _ = env.step(actions)
            played.append((seen, mask, actions, alone, values, reward, over, ~was_over))
            total += reward  # some games pay round by round
            paid += total[over].tolist()
            total[over] = 0
        if number == 0:
            unit = max(1.0, float(np.std(paid)))  # values about as large as one
        ahead = net.forward(inputs_of(env, at["observation"]), at["action_mask"].astype(bool))[2]
        gains, gain = [], np.zeros(matches)
        for _, _, _, _, values, reward, ended, _ in reversed(played):
            gain = reward / unit + GAMMA * ahead * ~ended - values + GAMMA * LAMBDA * ~ended * gain
            gains.append(gain)
            ahead = values
        seen, mask, actions, alone, values, _, _, real = (
            np.concatenate(column) for column in zip(*played, strict=True)
        )
        gain = np.concatenate(gains[::-1])
        learn(net, seen[real], mask[real], actions[real], alone[real], gain[real], (gain + values)[real], chance)
        curve.append(float(np.mean(paid)) if paid else 0.0)
        if number % 10 == 9:
            mean = float(np.mean(curve[-10:]))
            say(f"{number + 1:4} rounds, {time.time() - began:4.0f} s: {mean:7.2f} points a match")
    env.close()
    return curve


def plot(curve, path, title):
    """The curve as a picture."""
    import matplotlib.pyplot as plt

    smooth = np.convolve(curve, np.ones(10) / 10, "valid")
    plt.figure(figsize=(7, 3.5))
    plt.plot(np.arange(len(smooth)) + 10, smooth)
    plt.xlabel("rounds of learning (8,192 decisions each)")
    plt.ylabel("points a match")
    plt.title(title)
    plt.tight_layout()
    plt.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="companeros")
    parser.add_argument("--opponents", default="novice", choices=["novice", "random"])
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", metavar="FILE")
    asked = parser.parse_args()
    curve = train(asked.game, asked.opponents, asked.rounds, seed=asked.seed)
    if asked.plot:
        plot(curve, asked.plot, f"{asked.game}, against {asked.opponents}")


if __name__ == "__main__":
    main()
