package dev.outpost.onnx.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.onnx.plan.WorkerSpeed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Measures the speed of a worker and of the link to it: products and additions with small models, the link with an
 * array that is sent and read back, and the cost of transfers with both at once. Takes about half a second on fast
 * machines.
 */
public record Calibration(RemoteMachine machine) {
    /** The rows of a batch. At this number, inputs and weights exceed the caches of a core, as in real models. */
    private static final int ROWS = 128;

    private static final int WIDTH = 512;
    private static final int PRODUCTS = 3;
    private static final int ELEMENTS = 1 << 18;
    private static final int ADDITIONS = 4;
    private static final int RUNS = 3;
    /** The number of batches that are under way at once. */
    private static final int STREAM = 4;

    private static final int WAY_BYTES = 1 << 20;
    private static final int MAX_PASSED_BYTES = 1 << 18;
    private static final int MIN_PASSED_BYTES = 1 << 12;
    /** The time on the link as a fraction of the time of the computation beside it. */
    private static final double SHARE_OF_LINK = 0.4;

    /**
     * Measures a worker. Waits.
     *
     * @param memoryBytes the maximum number of bytes that a stage may take
     */
    public static WorkerSpeed measure(RemoteMachine machine, String name, long memoryBytes) {
        return new Calibration(machine).measured(name, memoryBytes);
    }

    private WorkerSpeed measured(String name, long memoryBytes) {
        machine.awaitReady();
        double roundTrip = roundTrip();
        WorkerSpeed.Link link = link(roundTrip);
        try (CalibrationModel products = CalibrationModel.products(machine, ROWS, WIDTH, PRODUCTS);
                CalibrationModel additions = CalibrationModel.additions(machine, ELEMENTS, ADDITIONS);
                CalibrationModel nothing = CalibrationModel.additions(machine, 1, 1)) {
            double call = secondsOfABatch(nothing, 1);
            double product = secondsOfABatch(products, 1);
            double addition = secondsOfABatch(additions, 1);
            return new WorkerSpeed(
                    name,
                    memoryBytes,
                    2.0 * ROWS * WIDTH * WIDTH * PRODUCTS / positive(product - call),
                    3.0 * Float.BYTES * ELEMENTS * ADDITIONS / positive(addition - call),
                    call,
                    handlingSecondsPerByte(products, product, link),
                    link);
        }
    }

    private static double positive(double seconds) {
        return Math.max(1e-6, seconds);
    }

    private double roundTrip() {
        double min = Double.POSITIVE_INFINITY;
        for (int run = 0; run < RUNS + 1; run++) {
            long start = System.nanoTime();
            try (Tensor one = machine.zeros(1)) {
                one.toFloatArray();
            }
            min = Math.min(min, since(start));
        }
        return min;
    }

    /**
     * Returns the time between two batches of which several are under way. Each sends an array, runs a model and reads the
     * array back, like a stage.
     *
     * @param bytes the size of the array
     */
    private double secondsOfABatch(CalibrationModel model, int bytes) {
        HostTensor passed = HostTensor.of(new byte[bytes]);
        stream(model, passed, 1);
        double min = Double.POSITIVE_INFINITY;
        for (int run = 0; run < RUNS - 1; run++) {
            double one = stream(model, passed, 1);
            double all = stream(model, passed, STREAM + 1);
            // Both measurements include the round trip, so it cancels.
            min = Math.min(min, Math.max((all - one) / STREAM, 1e-6));
        }
        return min;
    }

    private double stream(CalibrationModel model, HostTensor passed, int batches) {
        List<CompletableFuture<HostTensor>> fetched = new ArrayList<>();
        long start = System.nanoTime();
        for (int batch = 0; batch < batches; batch++) {
            try (Tensor there = machine.tensor(passed);
                    Tensor result = model.run();
                    Tensor element = result.flatten().narrow(0, 0, 1)) {
                fetched.add(there.fetch());
                fetched.add(element.fetch());
            }
        }
        fetched.forEach(CompletableFuture::join);
        return since(start);
    }

    /** Measures the processor time of transfers, with arrays so small that the link is never the bottleneck. */
    private double handlingSecondsPerByte(CalibrationModel model, double alone, WorkerSpeed.Link link) {
        double slowest = Math.min(link.toBytesPerSecond(), link.fromBytesPerSecond());
        int bytes = (int) Math.clamp(SHARE_OF_LINK * alone * slowest, MIN_PASSED_BYTES, MAX_PASSED_BYTES);
        return Math.max(0, secondsOfABatch(model, bytes) - alone) / (2.0 * bytes);
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
                WAY_BYTES / positive(to - roundTrip), WAY_BYTES / positive(from - roundTrip), roundTrip / 2);
    }

    private static double since(long start) {
        return (System.nanoTime() - start) * 1e-9;
    }
}
