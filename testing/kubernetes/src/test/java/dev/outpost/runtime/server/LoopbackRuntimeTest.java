package dev.outpost.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.simulated.kubernetes.ClusterAwait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A runtime that cannot start ends with the reason, as its process would: otherwise its pod would never be ready and never end. */
class LoopbackRuntimeTest {
    @TempDir
    private Path folder;

    private int statusOf(Map<String, String> environment, Consumer<String> log) {
        LoopbackRuntime runtime = LoopbackRuntime.start(environment, log);
        ClusterAwait.until("it has ended", () -> runtime.exit().isDone());
        return runtime.exit().join();
    }

    private Map<String, String> environment(String engine) {
        return Map.of(
                "OUTPOST_RUNTIME_HOST",
                "127.0.0.1",
                "OUTPOST_RUNTIME_PORT",
                "0",
                "OUTPOST_RUNTIME_ENGINE",
                engine,
                "OUTPOST_RUNTIME_END_FILE",
                folder.resolve("end").toString());
    }

    private String lastWord() throws IOException {
        return Files.readString(folder.resolve("end")).strip();
    }

    @Test
    void aReasonThatIsExpectedIsASentence() throws IOException {
        Queue<String> log = new ConcurrentLinkedQueue<>();
        assertEquals(1, statusOf(environment("steam"), log::add));
        assertTrue(lastWord().startsWith("failed: outpost.runtime.engine: expected"), lastWord());
        assertEquals(1, log.size(), log::toString);
    }

    static Stream<Throwable> withoutAMessage() {
        return Stream.of(new IllegalStateException(), new NullPointerException(), new StackOverflowError());
    }

    /** A log that throws, as a defect might. */
    @ParameterizedTest
    @MethodSource("withoutAMessage")
    void whateverItFailsByItEnds(Throwable defect) throws IOException {
        assertEquals(1, statusOf(environment("reference"), line -> {
            switch (defect) {
                case RuntimeException unchecked -> throw unchecked;
                case Error error -> throw error;
                default -> throw new AssertionError(defect);
            }
        }));
        assertTrue(lastWord().startsWith("failed: "), lastWord());
    }

    /** A time whose nanoseconds do not fit a long is a defect that shows when sessions are drained. */
    @Test
    void anEndThatFailsIsAnEnd() throws IOException {
        Map<String, String> environment = new HashMap<>(environment("reference"));
        environment.put("OUTPOST_RUNTIME_DRAIN", "PT999999999999S");
        LoopbackRuntime runtime = LoopbackRuntime.start(environment, line -> {});
        ClusterAwait.until("it serves", () -> runtime.ready().isDone());
        runtime.terminate();
        ClusterAwait.until("it has ended", () -> runtime.exit().isDone());
        assertEquals(143, runtime.exit().join());
        assertTrue(lastWord().startsWith("drained"), lastWord());
    }

    @Test
    void aDefectWithoutAMessageIsNamedByItsClass() {
        StartFailure failure = new StartFailure(new IllegalArgumentException(new IllegalStateException()));
        assertEquals("java.lang.IllegalStateException", failure.sentence());
        assertTrue(failure.lines().size() > 2, "it shows where it is");
    }
}
