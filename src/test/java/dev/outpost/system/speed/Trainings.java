package dev.outpost.system.speed;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.examples.TransformerBlock;
import dev.outpost.nn.Conv2d;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.Flatten;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Init;
import dev.outpost.nn.LayerNorm;
import dev.outpost.nn.Linear;
import dev.outpost.nn.MaxPool2d;
import dev.outpost.nn.Module;
import dev.outpost.nn.ModuleList;
import dev.outpost.nn.Parameter;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.Adam;
import dev.outpost.optim.AdamW;
import dev.outpost.optim.Optimizer;
import java.util.List;
import java.util.function.Supplier;

/** Training loops of the kinds that are compared with other libraries, on arbitrary data. */
final class Trainings {
    private Trainings() {}

    /** 784-512-10 on batches of 64, with Adam. */
    static Runnable mlp(RemoteMachine machine) {
        var model = new Sequential(new Linear(784, 512), new ReLU(), new Linear(512, 10)).to(machine);
        Tensor x = machine.randn(64, 784);
        Tensor y = machine.randint(0, 10, 64);
        return step(machine, new Adam(model.parameters(), 1e-3), () -> Functional.crossEntropy(model.forward(x), y));
    }

    /** 32 and 64 channels, 128, 10, on batches of 64 images of 28×28, with AdamW. */
    static Runnable convolution(RemoteMachine machine) {
        var model = new Sequential(
                        new Conv2d(1, 32, 3),
                        new ReLU(),
                        new MaxPool2d(2),
                        new Conv2d(32, 64, 3),
                        new ReLU(),
                        new MaxPool2d(2),
                        new Flatten(),
                        new Linear(1600, 128),
                        new ReLU(),
                        new Linear(128, 10))
                .to(machine);
        Tensor x = machine.randn(64, 1, 28, 28);
        Tensor y = machine.randint(0, 10, 64);
        return step(machine, new AdamW(model.parameters(), 1e-3), () -> Functional.crossEntropy(model.forward(x), y));
    }

    /** A layer of width 64 with 4 heads, on batches of 4 sequences of 32, with AdamW. */
    static Runnable transformer(RemoteMachine machine) {
        Transformer model = new Transformer();
        model.to(machine);
        Tensor x = machine.randint(0, 64, 4, 32);
        Tensor y = machine.randint(0, 64, 128);
        return step(machine, new AdamW(model.parameters(), 1e-3), () -> Functional.crossEntropy(model.forward(x), y));
    }

    private static Runnable step(RemoteMachine machine, Optimizer optimizer, Supplier<Tensor> loss) {
        return () -> {
            try (Scope scope = machine.scope()) {
                optimizer.zeroGrad();
                loss.get().backward();
                optimizer.step();
            }
        };
    }

    private static final class Transformer extends Module {
        private static final int WIDTH = 64;
        private static final int HEADS = 4;

        private final Embedding tokens = register("tokens", new Embedding(64, WIDTH));
        private final Parameter positions = parameter("positions", Init.zeros(), 32, WIDTH);
        private final ModuleList<TransformerBlock> blocks =
                register("blocks", new ModuleList<>(List.of(new TransformerBlock(WIDTH, HEADS))));
        private final LayerNorm norm = register("norm", new LayerNorm(WIDTH));
        private final Linear head = register("head", new Linear(WIDTH, 64));

        @Override
        public Tensor forward(Tensor input) {
            Tensor x = tokens.forward(input).add(positions.tensor());
            for (TransformerBlock block : blocks) {
                x = block.forward(x);
            }
            return head.forward(norm.forward(x)).flatten(0, 1);
        }
    }
}
