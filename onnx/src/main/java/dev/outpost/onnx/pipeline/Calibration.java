package dev.outpost.onnx.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.OnnxModel;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.onnx.plan.WorkerSpeed;
import dev.outpost.onnx.proto.GraphProto;
import dev.outpost.onnx.proto.ModelProto;
import dev.outpost.onnx.proto.NodeProto;
import dev.outpost.onnx.proto.OperatorSetIdProto;
import dev.outpost.onnx.proto.TensorProto.DataType;
import dev.outpost.onnx.proto.TensorShapeProto;
import dev.outpost.onnx.proto.TypeProto;
import dev.outpost.onnx.proto.ValueInfoProto;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.List;

/**
 * Measures what a worker and the way to it can do: products and additions by small models, and the way by an array that goes there
 * and comes back. Takes a quarter of a second where nothing is slow.
 */
public final class Calibration {
    private static final int PRODUCT = 384;
    private static final int PRODUCTS = 4;
    private static final int ELEMENTS = 1 << 20;
    private static final int ADDITIONS = 4;
    private static final int RUNS = 4;
    private static final int WAY_BYTES = 1 << 20;
    private static final int VERSION = 13;
    private static final int FORMAT = 8;

    private final RemoteMachine machine;

    private Calibration(RemoteMachine machine) {
        this.machine = machine;
    }

    /**
     * Measures; waits.
     *
     * @param memoryBytes what a stage may take there
     */
    public static WorkerSpeed measure(RemoteMachine machine, String name, long memoryBytes) {
        return new Calibration(machine).measured(name, memoryBytes);
    }

    private WorkerSpeed measured(String name, long memoryBytes) {
        machine.awaitReady();
        double roundTrip = roundTrip();
        double product = seconds("MatMul", new long[] {PRODUCT, PRODUCT}, PRODUCTS, roundTrip);
        double addition = seconds("Add", new long[] {ELEMENTS}, ADDITIONS, roundTrip);
        return new WorkerSpeed(
                name,
                memoryBytes,
                2.0 * PRODUCT * PRODUCT * PRODUCT * PRODUCTS / product,
                3.0 * Float.BYTES * ELEMENTS * ADDITIONS / addition,
                callSeconds(roundTrip),
                link(roundTrip));
    }

    private double roundTrip() {
        double least = Double.POSITIVE_INFINITY;
        for (int run = 0; run < RUNS + 1; run++) {
            long start = System.nanoTime();
            try (Tensor one = machine.zeros(1)) {
                one.toFloatArray();
            }
            least = Math.min(least, since(start));
        }
        return least;
    }

    /** Of a chain of one operator, without the way there and back. */
    private double seconds(String op, long[] sizes, int count, double roundTrip) {
        double least = Double.POSITIVE_INFINITY;
        try (OnnxModel model = OnnxModel.open(machine, chain(op, sizes, count));
                Tensor input = machine.zeros(sizes)) {
            TensorType type = new TensorType(DType.FLOAT32, Shape.of(sizes));
            for (int run = 0; run < RUNS; run++) {
                long start = System.nanoTime();
                try (Tensor output = model.call(List.of(type), input).getFirst();
                        Tensor last = output.flatten().narrow(0, 0, 1)) {
                    last.toFloatArray();
                }
                least = Math.min(least, since(start));
            }
        }
        return Math.max(1e-6, least - roundTrip);
    }

    private double callSeconds(double roundTrip) {
        return seconds("Add", new long[] {1}, 1, roundTrip);
    }

    private WorkerSpeed.Link link(double roundTrip) {
        double to = Double.POSITIVE_INFINITY;
        double from = Double.POSITIVE_INFINITY;
        HostTensor way = HostTensor.of(new byte[WAY_BYTES]);
        for (int run = 0; run < RUNS; run++) {
            long start = System.nanoTime();
            try (Tensor there = machine.tensor(way);
                    Tensor one = there.narrow(0, 0, 1)) {
                one.toHost();
                to = Math.min(to, since(start));
                long back = System.nanoTime();
                there.toHost();
                from = Math.min(from, since(back));
            }
        }
        return new WorkerSpeed.Link(
                WAY_BYTES / Math.max(1e-6, to - roundTrip),
                WAY_BYTES / Math.max(1e-6, from - roundTrip),
                roundTrip / 2);
    }

    private static double since(long start) {
        return (System.nanoTime() - start) * 1e-9;
    }

    /** A model that applies an operator again and again to its input. */
    private static byte[] chain(String op, long[] sizes, int count) {
        GraphProto.Builder graph =
                GraphProto.newBuilder().setName("calibration").addInput(value("x0", sizes));
        for (int node = 0; node < count; node++) {
            graph.addNode(NodeProto.newBuilder()
                    .setOpType(op)
                    .addInput("x" + node)
                    .addInput("x0")
                    .addOutput("x" + (node + 1)));
        }
        return ModelProto.newBuilder()
                .setIrVersion(FORMAT)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(VERSION))
                .setGraph(graph.addOutput(value("x" + count, sizes)))
                .build()
                .toByteArray();
    }

    private static ValueInfoProto value(String name, long[] sizes) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (long size : sizes) {
            shape.addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(size));
        }
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setTensorType(TypeProto.Tensor.newBuilder()
                                .setElemType(DataType.FLOAT_VALUE)
                                .setShape(shape)))
                .build();
    }
}
