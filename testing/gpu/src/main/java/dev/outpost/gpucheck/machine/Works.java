package dev.outpost.gpucheck.machine;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.examples.TransformerBlock;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.Functional;
import dev.outpost.nn.LayerNorm;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.Adam;
import dev.outpost.optim.AdamW;
import dev.outpost.optim.Optimizer;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.List;

/** The works that measure a GPU. {@code gpu_peer.py} has the same works for PyTorch, by the same names. */
final class Works {
    private static final int PIXELS = 784;
    private static final int CLASSES = 10;
    private static final int MLP_BATCH = 64;
    private static final int LAYERS = 4;
    private static final int MODEL_HEADS = 8;
    private static final int VOCABULARY = 256;

    private Works() {}

    static GpuWorkload product(long size, DType dtype, RemoteMachine machine) {
        return GpuWorkload.of(
                machine,
                in -> List.of(in.get(0).matmul(in.get(1))),
                machine.randn(dtype, size, size),
                machine.randn(dtype, size, size));
    }

    static GpuWorkload chain(WorkSizes sizes, RemoteMachine machine) {
        return GpuWorkload.of(
                machine,
                in -> List.of(in.getFirst()
                        .neg()
                        .abs()
                        .sqrt()
                        .exp()
                        .tanh()
                        .sigmoid()
                        .floor()
                        .relu()),
                machine.randn(DType.FLOAT32, sizes.chain()));
    }

    static GpuWorkload copy(WorkSizes sizes, RemoteMachine machine) {
        return GpuWorkload.of(
                machine, in -> List.of(in.getFirst().clone()), machine.randn(DType.FLOAT32, sizes.chain()));
    }

    static GpuWorkload softmax(WorkSizes sizes, RemoteMachine machine) {
        return GpuWorkload.of(
                machine,
                in -> {
                    Tensor x = in.get(0).requiresGrad(true);
                    Tensor y = x.softmax(-1);
                    y.backward(in.get(1));
                    return List.of(y.detach(), x.grad());
                },
                matrix(sizes, machine),
                matrix(sizes, machine));
    }

    static GpuWorkload layerNorm(WorkSizes sizes, RemoteMachine machine) {
        return GpuWorkload.of(
                machine,
                in -> {
                    Tensor x = in.get(0).requiresGrad(true);
                    Tensor weight = in.get(1).requiresGrad(true);
                    Tensor bias = in.get(2).requiresGrad(true);
                    Tensor y = Functional.layerNorm(x, new long[] {sizes.rows()}, weight, bias, 1e-5);
                    y.backward(in.get(3));
                    return List.of(y.detach(), x.grad(), weight.grad(), bias.grad());
                },
                matrix(sizes, machine),
                machine.ones(DType.BFLOAT16, sizes.rows()),
                machine.zeros(DType.BFLOAT16, sizes.rows()),
                matrix(sizes, machine));
    }

    static GpuWorkload crossEntropy(WorkSizes sizes, RemoteMachine machine) {
        return GpuWorkload.of(
                machine,
                in -> {
                    Tensor x = in.get(0).requiresGrad(true);
                    Tensor loss = Functional.crossEntropy(x, in.get(1));
                    loss.backward();
                    return List.of(loss.detach(), x.grad());
                },
                matrix(sizes, machine),
                machine.randint(0, sizes.rows(), sizes.rows()));
    }

    static GpuWorkload attention(WorkSizes sizes, long features, RemoteMachine machine) {
        return GpuWorkload.of(
                machine,
                in -> List.of(attended(in)),
                heads(sizes, features, machine),
                heads(sizes, features, machine),
                heads(sizes, features, machine));
    }

    static GpuWorkload attentionAndGradient(WorkSizes sizes, long features, RemoteMachine machine) {
        return GpuWorkload.of(
                machine,
                in -> {
                    List<Tensor> leaves = in.subList(0, 3);
                    leaves.forEach(leaf -> leaf.requiresGrad(true));
                    Tensor y = attended(leaves);
                    y.backward(in.get(3));
                    return List.of(
                            y.detach(),
                            in.get(0).grad(),
                            in.get(1).grad(),
                            in.get(2).grad());
                },
                heads(sizes, features, machine),
                heads(sizes, features, machine),
                heads(sizes, features, machine),
                heads(sizes, features, machine));
    }

    private static Tensor attended(List<Tensor> in) {
        return Functional.scaledDotProductAttention(in.get(0), in.get(1), in.get(2), true)
                .output();
    }

    private static Tensor heads(WorkSizes sizes, long features, RemoteMachine machine) {
        return machine.randn(DType.BFLOAT16, 1, sizes.heads(), sizes.sequence(), features);
    }

    private static Tensor matrix(WorkSizes sizes, RemoteMachine machine) {
        return machine.randn(DType.BFLOAT16, sizes.rows(), sizes.rows());
    }

    // ---- training

    static GpuWorkload mlp(WorkSizes sizes, RemoteMachine machine) {
        Module model = new Sequential(
                        new Linear(PIXELS, 2L * sizes.width()), new ReLU(), new Linear(2L * sizes.width(), CLASSES))
                .to(machine);
        return training(
                model,
                new Adam(model.parameters(), 1e-3),
                machine,
                machine.rand(MLP_BATCH, PIXELS),
                machine.randint(0, CLASSES, MLP_BATCH));
    }

    static GpuWorkload transformer(WorkSizes sizes, RemoteMachine machine) {
        List<Module> parts = new ArrayList<>(List.of(new Embedding(VOCABULARY, sizes.width())));
        for (int layer = 0; layer < LAYERS; layer++) {
            parts.add(new TransformerBlock(sizes.width(), MODEL_HEADS));
        }
        parts.add(new LayerNorm(sizes.width()));
        parts.add(new Linear(sizes.width(), VOCABULARY));
        Module model = new Sequential(parts.toArray(Module[]::new)).to(machine);
        return training(
                model,
                new AdamW(model.parameters(), 3e-4).weightDecay(0.01),
                machine,
                machine.randint(0, VOCABULARY, sizes.batch(), sizes.tokens()),
                machine.randint(0, VOCABULARY, (long) sizes.batch() * sizes.tokens()));
    }

    private static GpuWorkload training(
            Module model, Optimizer optimizer, RemoteMachine machine, Tensor input, Tensor target) {
        return GpuWorkload.of(
                machine,
                in -> {
                    optimizer.zeroGrad();
                    Tensor scores = model.forward(in.get(0));
                    Tensor loss =
                            Functional.crossEntropy(scores.reshape(in.get(1).size(0), -1), in.get(1));
                    loss.backward();
                    optimizer.step();
                    return List.of(loss.detach());
                },
                input,
                target);
    }
}
