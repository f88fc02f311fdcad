package dev.outpost.system.javadoc;

import dev.outpost.Tensor;
import dev.outpost.nn.BCEWithLogitsLoss;
import dev.outpost.nn.BatchNorm2d;
import dev.outpost.nn.Conv2d;
import dev.outpost.nn.CrossEntropyLoss;
import dev.outpost.nn.Dropout;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Init;
import dev.outpost.nn.LSTM;
import dev.outpost.nn.LayerNorm;
import dev.outpost.nn.Linear;
import dev.outpost.nn.MSELoss;
import dev.outpost.nn.Module;
import dev.outpost.nn.MultiheadAttention;
import dev.outpost.nn.Parameter;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Reduction;
import dev.outpost.nn.Sequential;
import org.junit.jupiter.api.Test;

/** Examples of the Javadoc of modules, layers and losses. */
class ModuleExamplesTest extends JavadocExamples {
    @Test
    void module() {
        // @start region="module"
        final class Doubling extends Module {
            private final Parameter factor = parameter("factor", Init.constant(2), 1);

            @Override
            public Tensor forward(Tensor input) {
                return input.mul(factor.tensor());
            }
        }
        Module module = new Doubling().to(machine);
        println(module.call(machine.tensor(new float[] {1, 2})).detach()); // tensor([2., 4.])
        println(module.namedParameters().keySet()); // [factor]
        // @end
    }

    @Test
    void parameters() {
        // @start region="parameters"
        Module model = new Sequential(new Linear(4, 3), new ReLU(), new Linear(3, 2, false)).to(machine);
        println(model.parameters().size()); // 3
        println(model.namedParameters().keySet()); // [0.weight, 0.bias, 2.weight]
        // @end
    }

    @Test
    void stateDict() {
        // @start region="stateDict"
        Module trained = new Linear(2, 1).to(machine);
        Module other = new Linear(2, 1).to(machine);
        other.loadStateDict(trained.stateDict());
        println(other.stateDict().equals(trained.stateDict())); // true
        // @end
    }

    @Test
    void eval() {
        // @start region="eval"
        Module dropout = new Dropout(0.5);
        println(dropout.eval().forward(machine.ones(3))); // tensor([1., 1., 1.])
        // @end
    }

    @Test
    void zeroGrad() {
        // @start region="zeroGrad"
        Linear layer = new Linear(2, 1);
        layer.to(machine);
        layer.forward(machine.ones(1, 2)).sum().backward();
        layer.zeroGrad();
        println(layer.weight().grad()); // null
        // @end
    }

    @Test
    void forwardHook() {
        // @start region="forwardHook"
        Module layer = new ReLU();
        Runnable remove = layer.registerForwardHook((module, input, output) -> output.add(1));
        println(layer.call(machine.zeros(2))); // tensor([1., 1.])
        remove.run();
        println(layer.call(machine.zeros(2))); // tensor([0., 0.])
        // @end
    }

    @Test
    void sequential() {
        // @start region="sequential"
        Module model = new Sequential(new Linear(784, 128), new ReLU(), new Linear(128, 10)).to(machine);
        println(model.forward(machine.zeros(32, 784)).shape()); // [32, 10]
        // @end
    }

    @Test
    void linear() {
        // @start region="linear"
        Linear layer = new Linear(3, 2);
        layer.to(machine);
        println(layer.forward(machine.ones(5, 3)).shape()); // [5, 2]
        println(layer.weight().shape() + " " + layer.bias().shape()); // [2, 3] [2]
        // @end
    }

    @Test
    void conv2d() {
        // @start region="conv2d"
        Conv2d layer = new Conv2d(3, 16, 3, 2, 1); // kernel 3, stride 2, padding 1
        layer.to(machine);
        println(layer.forward(machine.zeros(8, 3, 32, 32)).shape()); // [8, 16, 16, 16]
        // @end
    }

    @Test
    void embedding() {
        // @start region="embedding"
        Embedding table = new Embedding(100, 16);
        table.to(machine);
        println(table.forward(machine.tensor(new long[] {5, 7, 5, 0, 1, 2}, 2, 3))
                .shape()); // [2, 3, 16]
        // @end
    }

    @Test
    void layerNorm() {
        // @start region="layerNorm"
        LayerNorm norm = new LayerNorm(4);
        norm.to(machine);
        println(norm.forward(machine.tensor(new float[] {1, 2, 3, 4}))
                .detach()); // tensor([-1.3416, -0.4472,  0.4472,  1.3416])
        // @end
    }

    @Test
    void batchNorm2d() {
        // @start region="batchNorm2d"
        BatchNorm2d norm = new BatchNorm2d(3);
        norm.to(machine);
        Tensor normalized =
                norm.forward(machine.randn(8, 3, 4, 4).mul(5).add(2)).detach();
        println(normalized.mean(0, 2, 3).abs().lt(1e-5).all().item()); // true
        // @end
    }

    @Test
    void multiheadAttention() {
        // @start region="multiheadAttention"
        MultiheadAttention attention = new MultiheadAttention(16, 4);
        attention.to(machine);
        println(attention.forward(machine.randn(10, 2, 16)).shape()); // [10, 2, 16]
        // @end
    }

    @Test
    void lstm() {
        // @start region="lstm"
        LSTM lstm = new LSTM(8, 16);
        lstm.to(machine);
        LSTM.Result result = lstm.forward(machine.randn(10, 2, 8), null, null);
        println(result.output().shape() + " " + result.hidden().shape()); // [10, 2, 16] [1, 2, 16]
        // @end
    }

    @Test
    void crossEntropyLoss() {
        // @start region="crossEntropyLoss"
        Tensor logits = machine.tensor(new float[] {2, 0, 0, 0, 0, 2}, 2, 3);
        Tensor classes = machine.tensor(new long[] {0, 2});
        println(new CrossEntropyLoss().forward(logits, classes)); // tensor(0.2395)
        // @end
    }

    @Test
    void mseLossModule() {
        // @start region="mseLossModule"
        Tensor prediction = machine.tensor(new float[] {1, 2});
        println(new MSELoss().forward(prediction, machine.zeros(2))); // tensor(2.5000)
        // @end
    }

    @Test
    void bceWithLogitsLoss() {
        // @start region="bceWithLogitsLoss"
        Tensor logits = machine.tensor(new float[] {0, 0});
        println(new BCEWithLogitsLoss().forward(logits, machine.tensor(new float[] {0, 1}))); // tensor(0.6931)
        // @end
    }

    @Test
    void crossEntropy() {
        // @start region="crossEntropy"
        Tensor logits = machine.tensor(new float[] {2, 0, 0, 0, 0, 2}, 2, 3);
        Tensor classes = machine.tensor(new long[] {0, 2});
        println(Functional.crossEntropy(logits, classes)); // tensor(0.2395)
        println(Functional.crossEntropy(logits, classes, Reduction.NONE)); // tensor([0.2395, 0.2395])
        // @end
    }

    @Test
    void mseLoss() {
        // @start region="mseLoss"
        Tensor prediction = machine.tensor(new float[] {1, 2});
        println(Functional.mseLoss(prediction, machine.zeros(2))); // tensor(2.5000)
        println(Functional.mseLoss(prediction, machine.zeros(2), Reduction.SUM)); // tensor(5.)
        // @end
    }

    @Test
    void binaryCrossEntropyWithLogits() {
        // @start region="binaryCrossEntropyWithLogits"
        Tensor logits = machine.tensor(new float[] {0, 100});
        println(Functional.binaryCrossEntropyWithLogits(logits, machine.ones(2))); // tensor(0.3466)
        // @end
    }

    @Test
    void scaledDotProductAttention() {
        // @start region="scaledDotProductAttention"
        Tensor query = machine.randn(2, 4, 10, 8); // [batch, heads, queries, features]
        Tensor key = machine.randn(2, 4, 10, 8);
        Tensor value = machine.randn(2, 4, 10, 8);
        println(Functional.scaledDotProductAttention(query, key, value, true)
                .output()
                .shape()); // [2, 4, 10, 8]
        // @end
    }

    @Test
    void functionalLinear() {
        // @start region="functionalLinear"
        Tensor weight = machine.tensor(new float[] {1, 2, 3, 4}, 2, 2);
        println(Functional.linear(
                machine.ones(1, 2), weight, machine.tensor(new float[] {10, 20}))); // tensor([[13., 27.]])
        // @end
    }

    @Test
    void functionalLayerNorm() {
        // @start region="functionalLayerNorm"
        Tensor x = machine.tensor(new float[] {1, 3}, 1, 2);
        println(Functional.layerNorm(x, new long[] {2}, null, null, 0)); // tensor([[-1.,  1.]])
        // @end
    }

    @Test
    void oneHot() {
        // @start region="oneHot"
        println(Functional.oneHot(machine.tensor(new long[] {0, 2}), 3));
        // tensor([[1, 0, 0],
        //         [0, 0, 1]])
        // @end
    }

    @Test
    void dropout() {
        // @start region="dropout"
        Tensor x = machine.ones(1000);
        Tensor dropped = Functional.dropout(x, 0.5, true);
        println(dropped.eq(0).logicalOr(dropped.eq(2)).all().item()); // true
        println(Functional.dropout(x, 0.5, false).equal(x)); // true
        // @end
    }
}
