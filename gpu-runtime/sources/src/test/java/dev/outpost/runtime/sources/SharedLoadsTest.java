package dev.outpost.runtime.sources;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.mock.MockMachine;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.source.Source;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sessions of one machine load the same. */
class SharedLoadsTest {
    private static final int ELEMENTS = 1 << 16;
    private static final long BYTES = 4L * ELEMENTS;

    @TempDir
    private Path folder;

    private MockProvider provider;
    private String id;

    @BeforeEach
    void start() throws Exception {
        float[] values = new float[ELEMENTS];
        values[ELEMENTS - 1] = 7;
        Files.write(folder.resolve("model.safetensors"), TensorFile.of(Map.of("x", HostTensor.of(values, ELEMENTS))));
        provider = new MockProvider(
                MockSettings.STANDARD.withQuota(BYTES + BYTES / 2).withSources(SourceSettings.parse("file:" + folder)));
        id = provider.keeper()
                .orElseThrow()
                .start(new MachineSpec(GpuType.ANY, 1, Map.of(), "shared"), Duration.ofMinutes(5), step -> {})
                .await()
                .atMost(Await.GUARD);
    }

    /** Returns a ready machine, so that sessions are opened in the order of the calls. */
    private RemoteMachine session() {
        return RemoteMachine.attach(provider, id, new MachineOptions()).awaitReady();
    }

    private MockMachine machine() {
        return provider.machines().getFirst();
    }

    private static Tensor load(RemoteMachine session, Path folder) {
        return session.open("file:" + folder).loadStateDict().get("x");
    }

    @Test
    void equalLoadsTakeMemoryOnce() throws InterruptedException {
        try (RemoteMachine one = session();
                RemoteMachine other = session()) {
            Tensor first = load(one, folder);
            assertEquals(BYTES, machine().host().liveBytes());
            Source again = other.open("file:" + folder);
            Tensor second = again.loadStateDict().get("x");
            assertEquals(BYTES, machine().host().liveBytes());
            assertEquals(0, again.progress().bytes());
            assertArrayEquals(first.toFloatArray(), second.toFloatArray());

            first.close();
            one.synchronize();
            assertEquals(BYTES, machine().host().liveBytes());
            assertEquals(7, second.narrow(0, ELEMENTS - 1, 1).itemDouble());
            second.close();
            other.synchronize();
        }
        assertTrue(machine().host().awaitIdle(Await.GUARD));
        assertEquals(0, machine().host().liveBytes());
    }

    @Test
    void otherFormOfALoadIsNotShared() {
        try (RemoteMachine one = session();
                RemoteMachine other = session()) {
            Tensor whole = load(one, folder);
            Tensor half =
                    other.open("file:" + folder).loadStateDict(DType.BFLOAT16).get("x");
            assertEquals(BYTES + BYTES / 2, machine().host().liveBytes());
            assertEquals(7, whole.narrow(0, ELEMENTS - 1, 1).itemDouble());
            assertEquals(7, half.narrow(0, ELEMENTS - 1, 1).itemDouble());
        }
    }

    /** Alone a session has room for one and a half of it; two share it, and have room for their parts. */
    @Test
    void eachSessionIsChargedItsPart() {
        try (RemoteMachine one = session();
                RemoteMachine other = session()) {
            Tensor first = load(one, folder);
            try (Tensor own = one.zeros(ELEMENTS / 2)) {
                own.toHost();
            }
            assertThrows(OutpostException.class, () -> one.zeros(ELEMENTS).toHost());
            Tensor second = load(other, folder);
            try (Tensor more = one.zeros(ELEMENTS)) {
                assertEquals(ELEMENTS, more.toHost().shape().elements());
            }
            // The other one pays for all of it from then on.
            first.close();
            one.synchronize();
            awaitCharge(BYTES);
            assertThrows(OutpostException.class, () -> other.zeros(ELEMENTS).toHost());
            assertEquals(7, second.narrow(0, ELEMENTS - 1, 1).itemDouble());
        }
    }

    /** Waits until the second session is charged these bytes. The engine releases memory after the answer, so this may take a moment. */
    private void awaitCharge(long bytes) {
        Await.until(
                "the second session is charged " + bytes + " bytes",
                () -> machine().host().sessions().get(1).load().liveBytes() == bytes);
    }
}
