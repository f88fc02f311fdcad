package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Graphs of about the requested number of instructions, whose other sizes do not depend on it. */
enum GraphShapes {
    /** One elementwise instruction after the other. */
    CHAIN {
        @Override
        void record(Sketch sketch, int instructions) {
            int value = sketch.dyingInput(MATRIX);
            for (int index = 0; index < instructions; index++) {
                value = used(sketch, value, sketch.op(index % 2 == 0 ? Unary.NEG : Unary.EXP, value));
            }
        }
    },
    /** Layers without a backward pass: a product, a sum and an activation. */
    LAYERS {
        @Override
        void record(Sketch sketch, int instructions) {
            int weight = sketch.input(MATRIX);
            int value = sketch.dyingInput(MATRIX);
            for (int index = 0; index < instructions / 3; index++) {
                int product = used(sketch, value, sketch.op(new Matmul(), value, weight));
                int sum = used(sketch, product, sketch.op(Binary.ADD, product, weight));
                value = used(sketch, sum, sketch.op(Unary.RELU, sum));
            }
        }
    },
    /** Many instructions that read one value, and sums of their results. */
    FAN {
        @Override
        void record(Sketch sketch, int instructions) {
            int input = sketch.dyingInput(MATRIX);
            Deque<Integer> open = new ArrayDeque<>();
            for (int index = 0; index < instructions / 3; index++) {
                int product = sketch.op(new Matmul(), input, input);
                open.add(used(sketch, product, sketch.op(Binary.MUL, product, number(index))));
            }
            while (open.size() > 1) {
                int left = open.remove();
                int right = open.remove();
                int sum = sketch.op(Binary.ADD, left, right);
                sketch.drop(left, right);
                open.add(sum);
            }
        }
    },
    /** Elementwise instructions of an input, whose results are all kept. */
    LEAVES {
        @Override
        void record(Sketch sketch, int instructions) {
            int input = sketch.input(MATRIX);
            for (int index = 0; index < instructions; index++) {
                sketch.op(Binary.MUL, input, number(index));
            }
        }
    },
    /** Softmax after softmax. */
    ROWS {
        @Override
        void record(Sketch sketch, int instructions) {
            int value = sketch.dyingInput(MATRIX);
            for (int index = 0; index < instructions / 5; index++) {
                int largest = sketch.op(new Reduce(Reduce.Fn.MAX, Axes.of(1), true), value);
                int shifted = used(sketch, value, sketch.op(Binary.SUB, value, largest));
                int power = used(sketch, shifted, sketch.op(Unary.EXP, shifted));
                int sum = sketch.op(new Reduce(Reduce.Fn.SUM, Axes.of(1), true), power);
                value = used(sketch, power, sketch.op(Binary.DIV, power, sum));
                sketch.drop(largest, sum);
            }
        }
    },
    /** Forward pass, backward pass, and an update of each parameter with momentum. */
    TRAINING {
        @Override
        void record(Sketch sketch, int instructions) {
            int layers = instructions / 15;
            List<Integer> weights = new ArrayList<>();
            List<Integer> moments = new ArrayList<>();
            int value = sketch.dyingInput(MATRIX);
            for (int layer = 0; layer < layers; layer++) {
                weights.add(sketch.dyingInput(MATRIX));
                moments.add(sketch.dyingInput(MATRIX));
            }
            List<Integer> inputs = new ArrayList<>();
            List<Integer> sums = new ArrayList<>();
            for (int layer = 0; layer < layers; layer++) {
                inputs.add(value);
                int product = sketch.op(new Matmul(), value, weights.get(layer));
                sums.add(used(sketch, product, sketch.op(Binary.ADD, product, number(1))));
                value = sketch.op(Unary.TANH, sums.get(layer));
            }
            int gradient = used(sketch, value, sketch.op(Binary.SUB, value, number(1)));
            for (int layer = layers - 1; layer >= 0; layer--) {
                gradient = backward(sketch, gradient, sums.get(layer), inputs.get(layer), weights.get(layer));
                int moment = momentum(sketch, moments.get(layer), gradient + 1);
                int step = sketch.op(Binary.MUL, moment, number(3));
                used(sketch, step, sketch.op(Binary.SUB, weights.get(layer), step));
            }
        }

        /** Returns the gradient of a layer's input; the gradient of the weight has the next number. */
        private int backward(Sketch sketch, int gradient, int sum, int input, int weight) {
            int tanh = sketch.op(Unary.TANH, sum);
            int square = used(sketch, tanh, sketch.op(Binary.MUL, tanh, tanh));
            int slope = used(sketch, square, sketch.op(Binary.SUB, number(1), square));
            int inner = used(sketch, slope, sketch.op(Binary.MUL, gradient, slope));
            int ofInput = sketch.op(new Matmul(), inner, weight);
            int ofWeight = sketch.op(new Matmul(), input, inner);
            sketch.drop(gradient, inner, sum, ofWeight);
            return ofInput;
        }

        private int momentum(Sketch sketch, int moment, int gradient) {
            int decayed = sketch.op(Binary.MUL, moment, number(2));
            int scaled = sketch.op(Binary.MUL, gradient, number(3));
            int sum = sketch.op(Binary.ADD, decayed, scaled);
            sketch.drop(decayed, scaled);
            return sum;
        }
    },
    /** Random instructions of recent values; half of the results are kept. */
    RANDOM {
        @Override
        void record(Sketch sketch, int instructions) {
            Random random = new Random(instructions);
            List<Integer> values = new ArrayList<>(List.of(sketch.input(MATRIX), sketch.dyingInput(MATRIX)));
            for (int index = 0; index < instructions; index++) {
                int left = values.get(random.nextInt(values.size()));
                int right = values.get(values.size() - 1 - random.nextInt(Math.min(values.size(), 50)));
                int result = switch (random.nextInt(8)) {
                    case 0 -> sketch.op(new Matmul(), left, right);
                    case 1 -> sketch.op(new Reduce(Reduce.Fn.SUM, Axes.of(1), true), right);
                    case 2 -> sketch.op(new Reduce(Reduce.Fn.MAX, Axes.of(0), true), left);
                    case 3 -> sketch.op(Unary.EXP, left);
                    default -> sketch.op(Binary.ADD, left, right);
                };
                if (random.nextBoolean()) {
                    sketch.drop(result);
                }
                if (sketch.type(result).equals(MATRIX)) {
                    values.add(result);
                }
            }
        }
    };

    static final TensorType MATRIX = new TensorType(DType.FLOAT32, Shape.of(256, 256));

    abstract void record(Sketch sketch, int instructions);

    Graph graph(int instructions) {
        Sketch sketch = new Sketch();
        record(sketch, instructions);
        return sketch.graph();
    }

    /** Returns the result of the only instruction that uses a value, and drops the value. */
    static int used(Sketch sketch, int value, int result) {
        sketch.drop(value);
        return result;
    }

    static Scalar number(long number) {
        return Scalar.of(DType.FLOAT32, number);
    }
}
