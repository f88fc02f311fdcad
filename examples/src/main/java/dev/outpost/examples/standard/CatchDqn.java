package dev.outpost.examples.standard;

import dev.outpost.*;
import dev.outpost.autograd.*;
import dev.outpost.io.*;
import dev.outpost.metrics.*;
import dev.outpost.nn.*;
import dev.outpost.optim.*;
import java.io.IOException;
import java.nio.file.Path;
import java.util.*;
import java.util.stream.*;

/**
 * Learns to catch a falling ball by a deep Q-network (Mnih et al., 2015), with a replay buffer and a target network. Arguments: the number
 * of episodes, and the folder of the run. The same program in PyTorch is {@code examples/pytorch/catch_dqn.py}.
 */
public final class CatchDqn {
    private static final int BATCH = 32;
    private static final double DISCOUNT = 0.95;

    /** The environment. A ball falls one row in each step. The action 0, 1 or 2 moves the paddle left, keeps it, or moves it right. */
    static final class Board {
        private static final int ROWS = 8;
        private static final int COLUMNS = 7;
        private final int ball;
        private int row;
        private int paddle = COLUMNS / 2;

        Board(Random random) {
            ball = random.nextInt(COLUMNS);
        }

        float[] cells() {
            float[] cells = new float[ROWS * COLUMNS];
            cells[row * COLUMNS + ball] = 1;
            cells[(ROWS - 1) * COLUMNS + paddle] = 1;
            return cells;
        }

        boolean isOver() {
            return row == ROWS - 1;
        }

        float step(long action) {
            paddle = Math.clamp(paddle + action - 1, 0, COLUMNS - 1);
            row++;
            return !isOver() ? 0 : ball == paddle ? 1 : -1;
        }
    }

    record Transition(float[] cells, long action, float reward, float[] next, float end) {}

    private static Sequential network() {
        return new Sequential(new Linear(Board.ROWS * Board.COLUMNS, 64), new ReLU(), new Linear(64, 3));
    }

    public static void main(String[] args) throws IOException {
        int episodes = args.length > 0 ? Integer.parseInt(args[0]) : 300;
        Path run = Path.of(args.length > 1 ? args[1] : "runs/catch-dqn");
        var random = new Random(0);
        List<Transition> memory = new ArrayList<>();
        try (var machine = RemoteMachine.open();
                var metrics = Metrics.to(run)) {
            machine.manualSeed(0);
            Sequential model = network().to(machine);
            Safetensors.write(run.resolve("start.safetensors"), model.stateDict());
            Sequential target = network().to(machine, model.stateDict());
            var optimizer = new Adam(model.parameters(), 2e-3);
            long step = 0;
            double sum = 0;
            var progress = Progress.of(IntStream.range(0, episodes).boxed().toList());
            for (int episode : progress) {
                var board = new Board(random);
                double exploration = Math.max(0.05, 1 - 2.0 * episode / episodes);
                float reward = 0;
                while (!board.isOver()) {
                    float[] cells = board.cells();
                    long action = random.nextDouble() < exploration
                            ? random.nextInt(3)
                            : GradMode.noGrad(() ->
                                            model.call(machine.tensor(cells)).argmax())
                                    .itemLong();
                    reward = board.step(action);
                    memory.add(new Transition(cells, action, reward, board.cells(), board.isOver() ? 1 : 0));
                    var batch = Stream.generate(() -> memory.get(random.nextInt(memory.size())))
                            .limit(BATCH)
                            .toList();
                    try (var scope = machine.scope()) {
                        optimizer.zeroGrad();
                        Tensor loss = loss(machine, model, target, batch);
                        loss.backward();
                        optimizer.step();
                        metrics.log(++step, "loss", loss.itemDouble());
                    }
                    if (step % 100 == 0) {
                        target.loadStateDict(model.stateDict());
                    }
                }
                metrics.log(step, "return", reward);
                progress.show("return", reward);
                sum += episode >= episodes - 100 ? reward : 0;
            }
            System.out.printf("the mean return of the last 100 episodes is %.2f%n", sum / Math.min(100, episodes));
        }
    }

    /** Returns the loss of the temporal difference. The target is the reward plus the discounted best value of the next board. */
    private static Tensor loss(RemoteMachine machine, Sequential model, Sequential target, List<Transition> batch) {
        Tensor cells = machine.tensor(batch.stream().map(Transition::cells).toArray(float[][]::new));
        Tensor next = machine.tensor(batch.stream().map(Transition::next).toArray(float[][]::new));
        Tensor actions = machine.tensor(batch.stream().map(Transition::action).toList());
        Tensor rewards = machine.tensor(batch.stream().map(Transition::reward).toList());
        Tensor ends = machine.tensor(batch.stream().map(Transition::end).toList());
        Tensor values = model.call(cells).gather(1, actions.unsqueeze(1)).squeeze(1);
        Tensor following = GradMode.noGrad(() -> target.call(next).amax(1));
        return Functional.smoothL1Loss(
                values, rewards.add(following.mul(DISCOUNT).mul(ends.rsub(1))));
    }
}
