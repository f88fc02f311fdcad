package dev.outpost.bench.backend;

import dev.outpost.rest.client.BackendClient;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Measures the cost of a backend while many machines are ready and idle. Its heap also contains the simulated provider. */
record IdleMachines(int machines, int seconds) implements BackendPart {
    @Override
    public void measure(Path folder, BiConsumer<String, Double> figures) throws Exception {
        try (MeasuredBackend backend = Paper.start(folder)) {
            BackendClient client = backend.client();
            long begin = System.nanoTime();
            Paper.machines(client, machines);
            figures.accept("machines_made_per_second", machines / ((System.nanoTime() - begin) / 1e9));
            TimeUnit.SECONDS.sleep(10);
            double before = backend.meter("outpost_sql_statements_total");
            double cpuBefore = backend.meter("process_cpu_time_ns_total");
            TimeUnit.SECONDS.sleep(seconds);
            double statements = backend.meter("outpost_sql_statements_total") - before;
            figures.accept("idle_statements_per_second", statements / seconds);
            figures.accept("idle_cpu_share", (backend.meter("process_cpu_time_ns_total") - cpuBefore) / 1e9 / seconds);
            figures.accept("idle_heap_mib", backend.usedHeap());
            figures.accept("idle_resident_mib", backend.resident());
        }
    }
}
