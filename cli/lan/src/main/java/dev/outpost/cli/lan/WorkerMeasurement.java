package dev.outpost.cli.lan;

import dev.outpost.HostTensor;
import dev.outpost.PeerLinks;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Measures machines and the connections to and between them. Each time is the shortest of several runs, because other
 * work on the hosts only makes runs longer. Used by one thread.
 */
final class WorkerMeasurement {
    /** The size of the array that is sent to measure a connection. Its bytes are random, because a connection may compress. */
    private static final int BYTES = 4 << 20;

    private static final int RUNS = 5;

    /** The number of times that a value is sent to a worker and back before it is read. */
    private static final int ROUNDS = 8;

    private static final int MIN_SIZE = 256;
    private static final int MAX_SIZE = 4096;

    /** The shortest time of a product that can be measured well, in seconds. */
    private static final double LONG_SECONDS = 0.05;

    private final Random random = new Random(0);
    private final HostTensor bytes = HostTensor.of(randomBytes());

    /**
     * A connection in one direction.
     *
     * @param latencySeconds the time until the first byte arrives
     * @param bytesPerSecond the rate at which an array is transferred
     */
    record Way(double latencySeconds, double bytesPerSecond) {}

    /**
     * A product of two square matrices of float32.
     *
     * @param size the number of rows, and of columns, of each matrix
     */
    record Product(int size, double seconds) {
        double flops() {
            return 2.0 * size * size * size / seconds;
        }
    }

    private byte[] randomBytes() {
        byte[] drawn = new byte[BYTES];
        random.nextBytes(drawn);
        return drawn;
    }

    private interface Step {
        void run();
    }

    private static double shortest(Step step) {
        step.run();
        double min = Double.POSITIVE_INFINITY;
        for (int run = 0; run < RUNS; run++) {
            long start = System.nanoTime();
            step.run();
            min = Math.min(min, (System.nanoTime() - start) * 1e-9);
        }
        return min;
    }

    private static double rate(double bytes, double seconds) {
        return bytes / Math.max(1e-9, seconds);
    }

    private static void read(Tensor value) {
        try (Tensor flat = value.flatten();
                Tensor first = flat.narrow(0, 0, 1)) {
            first.toHost();
        }
    }

    /** Measures the time from a question to its answer, in seconds. */
    double roundTrip(RemoteMachine machine) {
        return shortest(() -> {
            try (Tensor one = machine.zeros(1)) {
                one.toHost();
            }
        });
    }

    /** Measures the connection from this program to a machine. */
    Way to(RemoteMachine machine, double roundTrip) {
        double seconds = shortest(() -> {
            try (Tensor there = machine.tensor(bytes)) {
                read(there);
            }
        });
        return new Way(roundTrip / 2, rate(BYTES, seconds - roundTrip));
    }

    /** Measures the connection from a machine to this program. */
    Way from(RemoteMachine machine, double roundTrip) {
        try (Tensor there = machine.tensor(bytes)) {
            // The addition makes a new value each time, because a value that was read is cached here.
            double seconds = shortest(() -> {
                try (Tensor other = there.add(1)) {
                    other.toHost();
                }
            });
            return new Way(roundTrip / 2, rate(BYTES, seconds - roundTrip));
        }
    }

    /**
     * Measures the connection from one machine to another.
     *
     * @param links between the two
     * @param roundTrip the round trip between this program and the first machine, in seconds
     * @param roundTripOfTarget the round trip between this program and the second machine, in seconds
     */
    Way between(
            PeerLinks links, RemoteMachine source, RemoteMachine target, double roundTrip, double roundTripOfTarget) {
        double rounds = shortest(() -> {
            Tensor last = source.zeros(1);
            for (int round = 0; round < ROUNDS; round++) {
                try (Tensor sent = last;
                        Tensor there = links.send(sent, target)) {
                    last = links.send(there, source);
                }
            }
            last.toHost();
            last.close();
        });
        double latency = Math.max(0, rounds - roundTrip) / (2 * ROUNDS);
        try (Tensor value = source.tensor(bytes)) {
            read(value);
            double seconds = shortest(() -> {
                try (Tensor there = links.send(value, target)) {
                    read(there);
                }
            });
            return new Way(latency, rate(BYTES, seconds - latency - (roundTrip + roundTripOfTarget) / 2));
        }
    }

    /**
     * Measures a product that takes at least {@link #LONG_SECONDS} on this machine, or the largest allowed product.
     */
    Product product(RemoteMachine machine, double roundTrip) {
        Product measured = product(machine, MIN_SIZE, roundTrip);
        while (measured.seconds() < LONG_SECONDS && measured.size() < MAX_SIZE) {
            measured = product(machine, 2 * measured.size(), roundTrip);
        }
        return measured;
    }

    private static Product product(RemoteMachine machine, int size, double roundTrip) {
        try (Tensor left = machine.randn(size, size);
                Tensor right = machine.randn(size, size)) {
            double seconds = shortest(() -> {
                try (Tensor product = left.matmul(right)) {
                    read(product);
                }
            });
            return new Product(size, Math.max(1e-6, seconds - roundTrip));
        }
    }

    /** Connects two machines for {@link #between}. */
    static PeerLinks connect(RemoteMachine one, String hostOfOne, RemoteMachine other, String hostOfOther) {
        return PeerLinks.open(
                List.of(one, other), List.of(Optional.of(hostOfOne), Optional.of(hostOfOther)), Duration.ofMinutes(1));
    }
}
