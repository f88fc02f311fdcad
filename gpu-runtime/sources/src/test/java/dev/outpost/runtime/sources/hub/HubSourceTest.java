package dev.outpost.runtime.sources.hub;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.runtime.source.SourceSecrets;
import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.runtime.sources.TensorFile;
import dev.outpost.source.Source;
import dev.outpost.stats.LoadStats;
import dev.outpost.types.OutpostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Repositories of a hub, against a server that answers as the hub does. */
class HubSourceTest {
    private final HubServer hub = new HubServer()
            .with("config.json", "{}".getBytes())
            .with("model.safetensors", TensorFile.of(Map.of("x", HostTensor.of(new float[] {1, 2, 3}, 3))))
            .with("vae/a file.json", "[]".getBytes());

    @AfterEach
    void stop() {
        hub.close();
    }

    private RemoteMachine machine(String more) {
        return RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "hf://org" + more));
    }

    private RemoteMachine machine() {
        return machine("," + hub.contentHost());
    }

    @Test
    void aRepositoryIsReadLikeAFolder() {
        try (RemoteMachine machine = machine()) {
            Source source = machine.open("hf://org/tiny");
            assertEquals(
                    Set.of("config.json", "model.safetensors", "vae/a file.json"),
                    source.files().keySet());
            assertEquals("[]", source.text("vae/a file.json"));
            assertArrayEquals(
                    new float[] {1, 2, 3}, source.loadStateDict().get("x").toFloatArray());
            assertArrayEquals(
                    new float[] {3}, source.tensor("x").narrow(0, 2, 1).load().toFloatArray());
            assertEquals(List.of(), hub.leaks());
        }
    }

    @Test
    void anotherMachineWithTheSameVolumeFetchesNothing(@TempDir Path volume) {
        MachineOptions options = new MachineOptions()
                .option("sources", "hf://org," + hub.contentHost())
                .option("cache", volume.toString());
        int after = 0;
        for (int round = 0; round < 2; round++) {
            try (RemoteMachine machine = RemoteMachine.of("mock", "any", options)) {
                Source source = machine.open("hf://org/tiny");
                assertArrayEquals(
                        new float[] {1, 2, 3}, source.loadStateDict().get("x").toFloatArray());
            }
            if (round == 0) {
                after = hub.contentRequests();
                assertEquals(1, after, "the header and the tensor are in one block");
            }
        }
        assertEquals(after, hub.contentRequests());
    }

    @Test
    void aLoadTellsItsProgressAndIsCancelledByAnotherThread() throws Exception {
        try (RemoteMachine machine = machine();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Source source = machine.open("hf://org/tiny");
            hub.holdContent();
            Future<?> loading = threads.submit(() -> source.loadStateDict());
            hub.awaitContentRequest();
            LoadStats progress = source.progress();
            assertEquals(1, progress.loads());
            assertEquals(0, progress.done());
            assertEquals(0, progress.bytes());
            source.cancel();
            String message = assertThrows(ExecutionException.class, loading::get)
                    .getCause()
                    .getMessage();
            assertTrue(message.contains("load: x: loading was cancelled by the program"), message);
            hub.releaseContent();
            assertArrayEquals(
                    new float[] {1, 2, 3}, source.loadStateDict().get("x").toFloatArray());
        }
    }

    @Test
    void aStalledDownloadEndsWithinItsTime() {
        System.setProperty("hf.downloadTimeout", "1");
        try (RemoteMachine machine = machine()) {
            Source source = machine.open("hf://org/tiny");
            hub.stallContent();
            String message = assertThrows(
                            OutpostException.class,
                            () -> source.loadStateDict().get("x").toFloatArray())
                    .getMessage();
            assertTrue(
                    message.contains("the answer stalled: less than 16384 bytes came within 1 s, asked 2 times"),
                    message);
            assertTrue(message.contains("HF_HUB_DOWNLOAD_TIMEOUT"), message);
        }
    }

    /** The default stall time is half a minute, and the guard against hangs is longer. The test ends long before both. */
    @Test
    void aStalledLoadIsCancelledAtOnceAndHoldsNothingUp() throws Exception {
        System.setProperty("hf.downloadTimeout", "100000");
        try (RemoteMachine machine = machine();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Source source = machine.open("hf://org/tiny");
            for (int round = 0; round < 20; round++) {
                hub.stallContent();
                Future<?> loading = threads.submit(() -> source.loadStateDict());
                hub.awaitContentRequest();
                source.cancel();
                assertThrows(ExecutionException.class, loading::get);
            }
            hub.releaseContent();
            assertArrayEquals(
                    new float[] {1, 2, 3}, source.loadStateDict().get("x").toFloatArray());
        }
    }

    @Test
    void aMachineIsClosedWhileADownloadStalls(@TempDir Path volume) throws Exception {
        System.setProperty("hf.downloadTimeout", "100000");
        MachineOptions cached = new MachineOptions()
                .option("sources", "hf://org," + hub.contentHost())
                .option("cache", volume.toString());
        for (MachineOptions options :
                List.of(new MachineOptions().option("sources", "hf://org," + hub.contentHost()), cached)) {
            hub.releaseContent();
            RemoteMachine machine = RemoteMachine.of("mock", "any", options);
            Source source = machine.open("hf://org/tiny");
            hub.stallContent();
            source.tensor("x").load();
            machine.close();
        }
    }

    @Test
    void aPageToLogInIsNamed() {
        hub.askForLogin();
        try (RemoteMachine machine = machine()) {
            assertRefused(
                    "the answer of the hub is a page of HTML, such as a page to log in",
                    () -> machine.open("hf://org/tiny"));
        }
    }

    @Test
    void aListenerHearsOfTheProgress() {
        List<LoadStats> heard = new CopyOnWriteArrayList<>();
        try (RemoteMachine machine = machine()) {
            Source source = machine.open("hf://org/tiny");
            try (var watch = source.watchProgress(Duration.ofMillis(1), heard::add)) {
                source.loadStateDict();
            }
            assertEquals(12, heard.getLast().bytes());
            assertEquals(1, heard.getLast().done());
            assertThrows(IllegalArgumentException.class, () -> source.watchProgress(Duration.ZERO, progress -> {}));
        }
    }

    @Test
    void aHubThatIsBusyIsAskedAgain() {
        hub.busyFor(2);
        try (RemoteMachine machine = machine()) {
            assertEquals("{}", machine.open("hf://org/tiny").text("config.json"));
            hub.busyFor(100);
            assertRefused("the hub answers 429: too many requests, asked 5 times", () -> machine.open("hf://org/tiny"));
        }
    }

    /** The load ends long before the pause that the hub asks for. */
    @Test
    void closingEndsAWaitForAnotherAttempt() throws Exception {
        hub.retryAfter(30);
        hub.busyFor(100);
        HubClient client =
                new HubClient(HubEndpoint.ofEnvironment(new SourceSecrets()), SourceSettings.parse("hf://org"));
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<?> asking = threads.submit(() -> client.get("open", client.at("/x"), null, 1));
            hub.awaitBusy();
            long begun = System.nanoTime();
            client.close();
            assertThrows(ExecutionException.class, asking::get);
            assertTrue(System.nanoTime() - begun < Duration.ofSeconds(15).toNanos());
        }
    }

    @Test
    void anAnswerOfOtherBytesIsRefused() {
        for (String range : List.of("bytes 0-11/9999999", "bytes 1-12/*", "bytes */12", "items 0-11/12", "")) {
            try (RemoteMachine machine = machine()) {
                hub.announceRange(null);
                Source source = machine.open("hf://org/tiny");
                hub.announceRange(range);
                assertRefused("got Content-Range: " + range, source::loadStateDict);
            }
        }
    }

    @Test
    void otherHostsAreNotFollowedUnlessTheyAreNamed() {
        try (RemoteMachine machine = machine("")) {
            String message =
                    assertRefused("the hub redirects to " + hub.contentHost(), () -> machine.open("hf://org/tiny"));
            assertFalse(message.contains("Signature"), message);
        }
    }

    @Test
    void missingOrForbiddenRepositoryIsNamed() {
        try (RemoteMachine machine = machine()) {
            assertRefused("the hub answers 404", () -> machine.open("hf://org/none"));
            assertRefused("the hub answers 404", () -> machine.open("hf://org/tiny@v2"));
            assertRefused("may not open hf://evil/tiny", () -> machine.open("hf://evil/tiny"));
            assertRefused("expected hf://org/name", () -> machine.open("hf://org/tiny/x"));
        }
    }

    @Test
    void aWrongTokenIsSaidAndNotTold() {
        System.setProperty("hf.token", "hf_wrong_secret");
        try (RemoteMachine machine = machine()) {
            String message = assertRefused("the hub answers 401", () -> machine.open("hf://org/tiny"));
            assertTrue(message.contains("or the token gives no access to it"), message);
            assertFalse(message.contains("secret"), message);
        }
    }

    @Test
    void aTruncatedPartNamesFileAndRange() {
        try (RemoteMachine machine = machine()) {
            Source source = machine.open("hf://org/tiny");
            hub.truncateBy(1);
            assertRefused("hf://org/tiny/model.safetensors: 12 bytes were requested for bytes=", source::loadStateDict);
        }
    }

    @Test
    void pathsThatLeadElsewhereAreRefused() {
        hub.with("../escape.json", "{}".getBytes());
        try (RemoteMachine machine = machine()) {
            assertRefused("expected a plain path within a source", () -> machine.open("hf://org/tiny"));
        }
    }

    private static String assertRefused(String part, Executable call) {
        String message = assertThrows(OutpostException.class, call).getMessage();
        assertTrue(message.contains(part), message);
        return message;
    }
}
