package dev.outpost.bench.backend;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.outpost.OutpostProvider;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/**
 * Measures the time from {@code RemoteMachine.of} to the first result, over a backend whose machines are processes on this
 * host.
 */
record ColdStarts(int rounds) implements BackendPart {
    @Override
    public void measure(Path folder, BiConsumer<String, Double> figures) throws Exception {
        try (MeasuredBackend backend = MeasuredBackend.start(folder)) {
            OutpostProvider provider = new OutpostProvider(backend::access);
            start(provider);
            Latencies starts = new Latencies();
            for (int i = 0; i < rounds; i++) {
                starts.add(start(provider));
            }
            figures.accept("cold_start_p50_ms", starts.quantile(0.5));
            figures.accept("cold_start_max_ms", starts.quantile(1));
        }
    }

    /** Returns the nanoseconds until a machine has computed a result. */
    static long start(OutpostProvider provider) {
        long begin = System.nanoTime();
        try (RemoteMachine machine = RemoteMachine.of(provider, "any", new MachineOptions());
                Tensor ones = machine.ones(2, 3)) {
            if (ones.sum().itemDouble() != 6) {
                throw new IllegalStateException("the machine computes something else");
            }
            return System.nanoTime() - begin;
        }
    }
}
