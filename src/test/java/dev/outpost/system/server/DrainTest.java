package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.Endpoint;
import dev.outpost.support.tests.Await;
import dev.outpost.support.tests.PlainNames;
import dev.outpost.types.MachineLostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the effect of SIGTERM: promises to a client are kept, later requests are refused, and the process ends in time. */
class DrainTest {
    private static final int ENDED_BY_SIGTERM = 143;
    private static final int PRODUCTS_OF_A_SECOND = 150;

    /** More than the heap: the client counts every product, the machine keeps two. */
    private static final String QUOTA = Long.toString(4L << 30);

    @Test
    void pendingReadsAreAnsweredBeforeTheEnd() throws Exception {
        assertDrains(RuntimeProcess::remote);
    }

    @Test
    @Tag("full")
    void requestOverASocketIsAnsweredWhileDraining() throws Exception {
        assertDrains(RuntimeProcess::local);
    }

    /** The work takes longer than the request to stop the runtime. */
    private static void assertDrains(Function<RuntimeProcess, Endpoint> way) throws Exception {
        Await.withEnoughTime(
                Duration.ofSeconds(1), time -> assertDrains(way, PRODUCTS_OF_A_SECOND * (int) time.toSeconds()));
    }

    private static void assertDrains(Function<RuntimeProcess, Endpoint> way, int products) {
        try (RuntimeProcess runtime = RuntimeProcess.start("--quota", QUOTA)) {
            ManagementClient management = ManagementClient.of(runtime);
            try (RemoteMachine machine = RemoteMachine.connect(way.apply(runtime), new MachineOptions())) {
                Tensor ones = machine.ones(2, 3);
                CompletableFuture<Double> look = startComputing(machine, management, products);
                runtime.terminate();
                Await.until("it says that it is not ready", () -> readiness(management) == 503);
                management.anonymous().get("/q/health/live").then().statusCode(200);
                assertFalse(look.isDone(), "it finished before it was told to stop");
                assertNewcomersAreTurnedAway(runtime);
                assertEquals(1.0, look.join(), 1e-3);
                MachineLostException lost = assertThrows(MachineLostException.class, () -> askUntilRefused(ones));
                assertEquals(
                        "endpoint-any: the machine is lost: the machine is shutting down",
                        PlainNames.in(lost.getMessage()));
            }
            assertEquals(ENDED_BY_SIGTERM, runtime.exitStatus());
            assertFalse(runtime.errors().contains("not all work was finished"), runtime::errors);
        }
    }

    @Test
    @Tag("full")
    void anIdleMachineEndsAtOnce() {
        try (RuntimeProcess runtime = RuntimeProcess.start()) {
            RemoteMachine machine = runtime.connect();
            Tensor ones = machine.ones(2, 3);
            assertEquals(6.0, ones.sum().itemDouble());
            runtime.terminate();
            assertEquals(ENDED_BY_SIGTERM, runtime.exitStatus());
            assertThrows(MachineLostException.class, () -> askUntilRefused(ones));
            machine.close();
        }
    }

    @Test
    @Tag("full")
    void longComputationIsCutOff() {
        try (RuntimeProcess runtime = RuntimeProcess.start("--quota", QUOTA, "-Doutpost.runtime.drain=1s")) {
            ManagementClient management = ManagementClient.of(runtime);
            RemoteMachine machine = runtime.connect();
            startComputing(machine, management, 3_000);
            CompletableFuture<Double> last = startComputing(machine, management, 3_000);
            long told = System.nanoTime();
            runtime.terminate();
            assertEquals(ENDED_BY_SIGTERM, runtime.exitStatus());
            Duration took = Duration.ofNanos(System.nanoTime() - told);
            assertTrue(took.toMillis() >= 1000, () -> "it took only " + took);
            assertTrue(runtime.errors().contains("not all work was finished within PT1S"), runtime::errors);
            Throwable lost = assertThrows(CompletionException.class, last::join).getCause();
            assertEquals(
                    "endpoint-any: the machine is lost: the machine is shutting down",
                    PlainNames.in(lost.getMessage()));
            machine.close();
        }
    }

    /** Starts work of seconds, and returns its future answer. */
    private static CompletableFuture<Double> startComputing(
            RemoteMachine machine, ManagementClient management, int products) {
        long before = management.stats().getLong("work.kernels");
        Tensor product = SampleComputations.products(machine, products);
        CompletableFuture<Double> look =
                CompletableFuture.supplyAsync(() -> product.get(0, 0).itemDouble());
        Await.until("it computes", () -> management.stats().getLong("work.kernels") > before + 3);
        return look;
    }

    /** The message about it may still be on its way. */
    private static void askUntilRefused(Tensor tensor) {
        for (int attempt = 0; attempt < 1000; attempt++) {
            tensor.sum().item();
        }
    }

    private static void assertNewcomersAreTurnedAway(RuntimeProcess runtime) {
        RemoteMachine newcomer = runtime.connect();
        MachineLostException refused = assertThrows(MachineLostException.class, newcomer::awaitReady);
        assertEquals(
                "endpoint-any: the machine is lost: the machine is shutting down", PlainNames.in(refused.getMessage()));
        newcomer.close();
    }

    private static int readiness(ManagementClient management) {
        return management.anonymous().get("/q/health/ready").statusCode();
    }
}
