package dev.outpost.backend.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SimulationProgressTest {
    @Test
    void lineIsPrintedOnceInAPeriod() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        AtomicLong nanos = new AtomicLong();
        SimulationProgress progress = new SimulationProgress(
                new PrintStream(printed, true, StandardCharsets.UTF_8), Duration.ofSeconds(10), nanos::get);
        for (int second = 1; second <= 25; second++) {
            nanos.set(Duration.ofSeconds(second).toNanos());
            progress.at(Duration.ofMinutes(6L * second), Duration.ofHours(24), 100 * second);
        }
        assertEquals(
                "1.0 of 24.0 h, 1000 requests, 10 s\n2.0 of 24.0 h, 2000 requests, 20 s\n",
                printed.toString(StandardCharsets.UTF_8).replace("\r", ""));
    }
}
