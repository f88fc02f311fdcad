package dev.outpost;

import dev.outpost.sharding.GroupCosts;
import java.util.function.LongSupplier;

/** Measures the time that the members of a group take for products, other ops and exchanges. */
final class CostMeasurement {
    private static final int ROUNDS = 5;
    private static final int PRODUCTS = 4;
    private static final int WIDTH = 256;
    private static final int ELEMENTS = 1 << 18;
    /** Lower bound of a measured cost, in seconds per unit of work. */
    private static final double MIN = 1e-13;

    private final MachineGroup group;
    private final LongSupplier nanoTime;

    CostMeasurement(MachineGroup group, LongSupplier nanoTime) {
        this.group = group;
        this.nanoTime = nanoTime;
    }

    GroupCosts measure() {
        group.awaitReady();
        try (Scope scope = group.scope()) {
            Tensor one = group.machine().zeros(1);
            Tensor matrix = group.machine().zeros(WIDTH, WIDTH);
            Tensor vector = group.machine().zeros(ELEMENTS);
            Tensor terms = group.sharded(HostTensor.of(new float[group.size()]), 0);
            Tensor manyTerms =
                    group.sharded(HostTensor.of(new float[group.size() * ELEMENTS], group.size(), ELEMENTS), 0);
            double base = seconds(() -> one.add(1));
            double products = seconds(() -> {
                for (int product = 0; product < PRODUCTS; product++) {
                    matrix.matmul(matrix);
                }
            });
            double elementwise = seconds(() -> vector.add(1));
            double exchange = seconds(() -> terms.sum().relu());
            double bytes = seconds(() -> manyTerms.sum(0).relu());
            return new GroupCosts(
                    per(products - base, (double) PRODUCTS * WIDTH * WIDTH * WIDTH),
                    per(elementwise - base, 4.0 * ELEMENTS),
                    per(exchange - base, 1),
                    per(bytes - exchange, 2 * 4.0 * ELEMENTS));
        }
    }

    private static double per(double seconds, double count) {
        return Math.max(MIN, seconds / count);
    }

    /** Returns the shortest time of all rounds, in seconds. Other work on the machine makes rounds longer. */
    private double seconds(Runnable body) {
        long min = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long begin = nanoTime.getAsLong();
            body.run();
            group.synchronize();
            min = Math.min(min, nanoTime.getAsLong() - begin);
        }
        return min * 1e-9;
    }
}
