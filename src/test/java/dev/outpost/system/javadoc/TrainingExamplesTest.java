package dev.outpost.system.javadoc;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.autograd.Autocast;
import dev.outpost.autograd.Autograd;
import dev.outpost.autograd.Checkpoint;
import dev.outpost.autograd.CustomFunction;
import dev.outpost.autograd.GradMode;
import dev.outpost.data.DataLoader;
import dev.outpost.data.Example;
import dev.outpost.data.RandomSplit;
import dev.outpost.data.Subset;
import dev.outpost.data.TensorDataset;
import dev.outpost.distributions.Categorical;
import dev.outpost.distributions.Normal;
import dev.outpost.functional.Transforms;
import dev.outpost.io.Npy;
import dev.outpost.io.Safetensors;
import dev.outpost.linalg.Linalg;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Init;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.Adam;
import dev.outpost.optim.AdamW;
import dev.outpost.optim.AveragedModel;
import dev.outpost.optim.CosineAnnealingLR;
import dev.outpost.optim.GradScaler;
import dev.outpost.optim.GradientClipping;
import dev.outpost.optim.SGD;
import dev.outpost.optim.StepLR;
import dev.outpost.testing.TensorAssertions;
import dev.outpost.types.DType;
import dev.outpost.vocabulary.Ops;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Examples of the Javadoc of autograd, optimizers, data, files and linear algebra. */
class TrainingExamplesTest extends JavadocExamples {
    @Test
    void backward() {
        // @start region="backward"
        Tensor x = machine.tensor(new float[] {1, 2, 3}).requiresGrad(true);
        x.mul(x).sum().backward();
        println(x.grad()); // tensor([2., 4., 6.])
        // @end
    }

    @Test
    void grad() {
        // @start region="grad"
        Tensor x = machine.tensor(new float[] {1, 2}).requiresGrad(true);
        Tensor y = x.mul(3).sum();
        println(Autograd.grad(y, List.of(x)).getFirst()); // tensor([3., 3.])
        println(x.grad()); // null
        // @end
    }

    @Test
    void requiresGrad() {
        // @start region="requiresGrad"
        Tensor x = machine.ones(2).requiresGrad(true);
        Tensor y = x.mul(2);
        println(x.isLeaf() + " " + y.isLeaf() + " " + y.requiresGrad()); // true false true
        // @end
    }

    @Test
    void detach() {
        // @start region="detach"
        Tensor x = machine.ones(2).requiresGrad(true);
        println(x.mul(2).detach().requiresGrad()); // false
        // @end
    }

    @Test
    void registerHook() {
        // @start region="registerHook"
        Tensor x = machine.ones(2).requiresGrad(true);
        x.registerHook(gradient -> gradient.mul(10));
        x.sum().backward();
        println(x.grad()); // tensor([10., 10.])
        // @end
    }

    @Test
    void noGrad() {
        // @start region="noGrad"
        Tensor x = machine.ones(2).requiresGrad(true);
        println(GradMode.noGrad(() -> x.mul(2)).requiresGrad()); // false
        // @end
    }

    @Test
    void autocast() {
        // @start region="autocast"
        Tensor x = machine.ones(2, 2);
        println(Autocast.with(DType.BFLOAT16, () -> x.matmul(x)).dtype()); // bfloat16
        // @end
    }

    @Test
    void checkpoint() {
        // @start region="checkpoint"
        Tensor x = machine.tensor(new float[] {1, 2}).requiresGrad(true);
        Tensor y = Checkpoint.checkpoint(input -> input.mul(input).mul(input), x);
        y.sum().backward();
        println(x.grad()); // tensor([ 3., 12.])
        // @end
    }

    @Test
    void customFunction() {
        // @start region="customFunction"
        class Square extends CustomFunction {
            @Override
            protected Tensor[] forward(Context context, Tensor... inputs) {
                context.save(inputs[0]);
                return new Tensor[] {inputs[0].mul(inputs[0])};
            }

            @Override
            protected Tensor[] backward(Context context, Tensor... gradients) {
                return new Tensor[] {gradients[0].mul(context.saved(0)).mul(2)};
            }
        }
        Tensor x = machine.tensor(new float[] {3}).requiresGrad(true);
        new Square().apply(x)[0].sum().backward();
        println(x.grad()); // tensor([6.])
        // @end
    }

    @Test
    void transformsGrad() {
        // @start region="transformsGrad"
        UnaryOperator<Tensor> derivative = Transforms.grad(x -> x.mul(x).mul(x));
        println(derivative.apply(machine.scalar(2.0))); // tensor(12., grad_fn=<add []>)
        println(Transforms.grad(derivative).apply(machine.scalar(2.0))); // tensor(12., grad_fn=<add []>)
        // @end
    }

    @Test
    void vmap() {
        // @start region="vmap"
        UnaryOperator<Tensor> norms = Transforms.vmap(row -> row.norm());
        println(norms.apply(machine.tensor(new float[] {3, 4, 6, 8}, 2, 2))); // tensor([ 5., 10.])
        // @end
    }

    @Test
    void jacobian() {
        // @start region="jacobian"
        Tensor x = machine.tensor(new float[] {1, 2});
        println(Transforms.jacobian(v -> v.mul(v), x));
        // tensor([[2., 0.],
        //         [0., 4.]], grad_fn=<cat [2, 2]>)
        // @end
    }

    @Test
    void hessian() {
        // @start region="hessian"
        Tensor x = machine.tensor(new float[] {1, 2});
        println(Transforms.hessian(v -> v.mul(v).mul(v).sum(), x));
        // tensor([[ 6.,  0.],
        //         [ 0., 12.]], grad_fn=<cat [2, 2]>)
        // @end
    }

    @Test
    void sgd() {
        // @start region="sgd"
        Parameter weight = Parameter.of(machine.tensor(new float[] {1, 2}));
        SGD optimizer = new SGD(List.of(weight), 0.1);
        weight.tensor().sum().backward();
        optimizer.step();
        println(weight.tensor().detach()); // tensor([0.9000, 1.9000])
        // @end
    }

    @Test
    void adam() {
        // @start region="adam"
        Parameter weight = Parameter.of(machine.tensor(new float[] {1, 2}));
        Adam optimizer = new Adam(List.of(weight), 0.1);
        weight.tensor().sum().backward();
        optimizer.step();
        println(weight.tensor().detach()); // tensor([0.9000, 1.9000])
        // @end
    }

    @Test
    void adamW() {
        // @start region="adamW"
        Parameter weight = Parameter.of(machine.tensor(new float[] {1, 2}));
        AdamW optimizer = new AdamW(List.of(weight), 0.1).weightDecay(0.5);
        weight.tensor().sum().backward();
        optimizer.step();
        println(weight.tensor().detach()); // tensor([0.8500, 1.8000])
        // @end
    }

    @Test
    void step() {
        // @start region="step"
        machine.manualSeed(0);
        Linear model = new Linear(1, 1);
        model.to(machine);
        SGD optimizer = new SGD(model.parameters(), 0.1);
        Tensor x = machine.tensor(new float[] {0, 1, 2, 3}, 4, 1);
        Tensor target = x.mul(2).add(1);
        for (int step = 0; step < 300; step++) {
            optimizer.zeroGrad();
            Functional.mseLoss(model.forward(x), target).backward();
            optimizer.step();
        }
        println(model.weight().tensor().detach().sub(2).abs().lt(0.01).item()); // true
        println(model.bias().tensor().detach().sub(1).abs().lt(0.01).item()); // true
        // @end
    }

    @Test
    void optimizerState() {
        // @start region="optimizerState"
        Parameter weight = Parameter.of(machine.ones(2));
        Adam optimizer = new Adam(List.of(weight), 0.1);
        weight.tensor().sum().backward();
        optimizer.step();
        Adam resumed = new Adam(List.of(weight), 0.1);
        resumed.loadStateDict(optimizer.stateDict());
        println(resumed.stateDict().equals(optimizer.stateDict())); // true
        // @end
    }

    @Test
    void stepLR() {
        // @start region="stepLR"
        SGD optimizer = new SGD(List.of(Parameter.of(machine.ones(2))), 0.1);
        StepLR schedule = new StepLR(optimizer, 10, 0.5);
        for (int epoch = 0; epoch < 10; epoch++) {
            schedule.step();
        }
        println(optimizer.groups().getFirst().learningRate()); // 0.05
        // @end
    }

    @Test
    void cosineAnnealingLR() {
        // @start region="cosineAnnealingLR"
        SGD optimizer = new SGD(List.of(Parameter.of(machine.ones(2))), 0.1);
        CosineAnnealingLR schedule = new CosineAnnealingLR(optimizer, 100);
        println(schedule.learningRate(0.1, 0)); // 0.1
        println(schedule.learningRate(0.1, 100)); // 0.0
        // @end
    }

    @Test
    void clipGradNorm() {
        // @start region="clipGradNorm"
        Parameter weight = Parameter.of(machine.zeros(2));
        weight.tensor().mul(machine.tensor(new float[] {3, 4})).sum().backward();
        println(GradientClipping.clipGradNorm(List.of(weight), 1)); // tensor(5.)
        println(weight.grad()); // tensor([0.6000, 0.8000])
        // @end
    }

    @Test
    void gradScaler() {
        // @start region="gradScaler"
        Parameter weight = Parameter.of(machine.ones(2));
        SGD optimizer = new SGD(List.of(weight), 0.1);
        GradScaler scaler = new GradScaler();
        scaler.scale(weight.tensor().sum()).backward();
        println(scaler.step(optimizer)); // true
        scaler.update();
        println(weight.tensor().detach()); // tensor([0.9000, 0.9000])
        // @end
    }

    @Test
    void averagedModel() {
        // @start region="averagedModel"
        Linear model = new Linear(1, 1, false);
        model.weight().initialize(Init.constant(2));
        model.to(machine);
        try (AveragedModel average = new AveragedModel(model)) {
            average.update();
            model.weight().initialize(Init.constant(4));
            average.update();
            println(average.using(() -> model.weight().tensor().detach().clone())); // tensor([[3.]])
        }
        // @end
    }

    @Test
    void dataLoader() {
        // @start region="dataLoader"
        TensorDataset data = new TensorDataset(
                HostTensor.of(new float[] {0, 1, 2, 3, 4}, 5, 1), HostTensor.of(new long[] {0, 0, 1, 1, 1}));
        for (Example batch : new DataLoader<>(data, 2)) {
            println(batch.x().shape() + " " + batch.y());
        }
        // [2, 1] tensor([0, 0])
        // [2, 1] tensor([1, 1])
        // [1, 1] tensor([1])
        // @end
    }

    @Test
    void shuffle() {
        // @start region="shuffle"
        TensorDataset data = new TensorDataset(
                HostTensor.of(new float[] {0, 1, 2, 3, 4}, 5, 1), HostTensor.of(new long[] {0, 0, 1, 1, 1}));
        DataLoader<Example> loader = new DataLoader<>(data, 2).shuffle(7).dropLast();
        println(loader.batches()); // 2
        // @end
    }

    @Test
    void randomSplit() {
        // @start region="randomSplit"
        TensorDataset data = new TensorDataset(
                HostTensor.of(new float[] {0, 1, 2, 3, 4}, 5, 1), HostTensor.of(new long[] {0, 0, 1, 1, 1}));
        List<Subset<Example>> parts = RandomSplit.of(data, 7, 4, 1);
        println(parts.getFirst().size() + " and " + parts.getLast().size()); // 4 and 1
        // @end
    }

    @Test
    void safetensors(@TempDir Path folder) throws IOException {
        // @start region="safetensors"
        Path file = folder.resolve("model.safetensors");
        Safetensors.write(file, Map.of("weight", HostTensor.of(new float[] {1, 2})));
        println(Safetensors.read(file)); // {weight=tensor([1., 2.])}
        // @end
    }

    @Test
    void npy(@TempDir Path folder) throws IOException {
        // @start region="npy"
        Path file = folder.resolve("array.npy");
        Npy.write(file, HostTensor.of(new long[] {1, 2, 3, 4}, 2, 2));
        println(Npy.read(file).shape()); // [2, 2]
        // @end
    }

    @Test
    void solve() {
        // @start region="solve"
        Tensor a = machine.tensor(new float[] {2, 0, 0, 4}, 2, 2);
        println(Linalg.solve(a, machine.tensor(new float[] {2, 8}))); // tensor([1., 2.])
        // @end
    }

    @Test
    void inv() {
        // @start region="inv"
        println(Linalg.inv(machine.tensor(new float[] {2, 0, 0, 4}, 2, 2)));
        // tensor([[0.5000, 0.0000],
        //         [0.0000, 0.2500]])
        // @end
    }

    @Test
    void svd() {
        // @start region="svd"
        Linalg.Svd svd = Linalg.svd(machine.tensor(new float[] {0, 2, 3, 0}, 2, 2));
        println(svd.s()); // tensor([3., 2.])
        // @end
    }

    @Test
    void det() {
        // @start region="det"
        println(Linalg.det(machine.tensor(new float[] {1, 2, 3, 4}, 2, 2))); // tensor(-2.0000)
        // @end
    }

    @Test
    void cholesky() {
        // @start region="cholesky"
        println(Linalg.cholesky(machine.tensor(new float[] {4, 2, 2, 5}, 2, 2)));
        // tensor([[2., 0.],
        //         [1., 2.]])
        // @end
    }

    @Test
    void normal() {
        // @start region="normal"
        Normal normal = new Normal(machine.scalar(0.0), machine.scalar(1.0));
        println(normal.logProb(machine.scalar(0.0))); // tensor(-0.9189)
        // @end
    }

    @Test
    void categorical() {
        // @start region="categorical"
        Categorical coin = Categorical.ofProbabilities(machine.tensor(new float[] {1, 3}));
        println(coin.probabilities()); // tensor([0.2500, 0.7500])
        println(coin.entropy()); // tensor(0.5623)
        // @end
    }

    @Test
    void opsCall() {
        // @start region="opsCall"
        Tensor x = machine.tensor(new float[] {-1, 2});
        println(Ops.call("clamp", List.of(x), Map.of("min", 0)).getFirst()); // tensor([0., 2.])
        // @end
    }

    @Test
    void assertClose() {
        // @start region="assertClose"
        Tensor x = machine.ones(2);
        TensorAssertions.assertClose(x.add(1e-7), x);
        println(x); // tensor([1., 1.])
        // @end
    }
}
