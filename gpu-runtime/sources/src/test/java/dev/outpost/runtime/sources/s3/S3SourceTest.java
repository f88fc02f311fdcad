package dev.outpost.runtime.sources.s3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.runtime.source.SourceSecrets;
import dev.outpost.runtime.sources.TensorFile;
import dev.outpost.source.Source;
import dev.outpost.support.tests.Await;
import dev.outpost.types.OutpostException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** Models in buckets, against a server in this JVM. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3SourceTest {
    private static final String BUCKET = "models";

    @TempDir
    private static Path folder;

    private S3Server server;
    private S3AsyncClient client;

    @BeforeAll
    void start() throws Exception {
        server = new S3Server(folder);
        client = S3Clients.ofEnvironment(new SourceSecrets());
        client.createBucket(request -> request.bucket(BUCKET)).join();
        client.createBucket(request -> request.bucket("other")).join();
        put("tiny/config.json", "{}".getBytes());
        put("tiny/model.safetensors", TensorFile.of(Map.of("x", HostTensor.of(new float[] {1, 2, 3}, 3))));
    }

    @AfterAll
    void stop() throws Exception {
        client.close();
        server.close();
    }

    private void put(String key, byte[] bytes) {
        client.putObject(request -> request.bucket(BUCKET).key(key), AsyncRequestBody.fromBytes(bytes))
                .join();
    }

    private static RemoteMachine machine() {
        return RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "s3://" + BUCKET));
    }

    @Test
    void aBucketIsReadLikeAFolder() {
        try (RemoteMachine machine = machine()) {
            Source source = machine.open("s3://models/tiny");
            assertEquals(
                    Set.of("config.json", "model.safetensors"), source.files().keySet());
            assertEquals("{}", source.text("config.json"));
            assertArrayEquals(
                    new float[] {1, 2, 3}, source.loadStateDict().get("x").toFloatArray());
            assertArrayEquals(
                    new float[] {2, 3},
                    machine.open("s3://models/tiny/model.safetensors")
                            .tensor("x")
                            .narrow(0, 1, 2)
                            .load()
                            .toFloatArray());
        }
    }

    /** More than a part, so that parts are under way together. */
    @Test
    void largeTensorsComeInPartsAndNotThroughTheClient() {
        float[] values = new float[5 << 20];
        for (int index = 0; index < values.length; index++) {
            values[index] = index;
        }
        HostTensor large = HostTensor.of(values, values.length / 1024, 1024);
        put("large/model.safetensors", TensorFile.of(Map.of("w", large)));
        try (RemoteMachine machine = machine()) {
            Source source = machine.open("s3://models/large");
            try (Tensor loaded = source.loadStateDict().get("w");
                    Tensor sum = loaded.narrow(1, 0, 2)
                            .to(dev.outpost.types.DType.FLOAT64)
                            .sum()) {
                double expected = 0;
                for (int row = 0; row < values.length / 1024; row++) {
                    expected += 2.0 * 1024 * row + 1;
                }
                assertEquals(expected, sum.itemDouble());
            }
            assertEquals(20L << 20, source.progress().bytes());
            long traffic = machine.stats().bytesIn() + machine.stats().bytesOut();
            assertTrue(traffic < 64 << 10, "the client sent and received " + traffic + " bytes");
        }
    }

    /** The file has a little more than two parts. */
    @Test
    void multipartSaveIsLoadedAgain() {
        try (RemoteMachine machine = machine()) {
            Tensor large = machine.arange(9 << 20).to(dev.outpost.types.DType.FLOAT32);
            machine.save("s3://models/saved", Map.of("w", large), Map.of("config.json", "{}"), 1L << 30);
            Source saved = machine.open("s3://models/saved");
            Tensor loaded = saved.tensor("w").load();
            assertTrue(loaded.equal(large));
            assertEquals("{}", saved.text("config.json"));
            long traffic = machine.stats().bytesIn() + machine.stats().bytesOut();
            assertTrue(traffic < 64 << 10, "the client sent and received " + traffic + " bytes");
        }
    }

    @Test
    void partsOfAnObjectAreReadAndACheckpointIsDeleted() {
        try (RemoteMachine machine = machine()) {
            Tensor weight = machine.ones(dev.outpost.types.DType.FLOAT32, 4);
            String uri = "s3://models/run/step-1";
            machine.save(uri, Map.of("w", weight), Map.of("checkpoint.json", "{}", "lines.txt", "0123456789"), 1 << 20);
            assertEquals("3456", new String(machine.open(uri).bytes("lines.txt", 3, 4)));
            machine.deleteCheckpoint(uri);
            assertEquals(Set.of("lines.txt"), machine.open(uri).files().keySet());
        }
    }

    @Test
    void anObjectThatWasReplacedIsRefused() {
        put("changing/model.safetensors", TensorFile.of(Map.of("x", HostTensor.of(new float[] {1}, 1))));
        try (RemoteMachine machine = machine()) {
            Source source = machine.open("s3://models/changing");
            put("changing/model.safetensors", TensorFile.of(Map.of("x", HostTensor.of(new float[] {2}, 1))));
            assertRefused("was changed after the source was opened", source::loadStateDict);
        }
    }

    @Test
    void missingOrForbiddenObjectIsNamed() {
        try (RemoteMachine machine = machine()) {
            assertRefused("there is nothing at s3://models/none", () -> machine.open("s3://models/none"));
            assertRefused("may not open s3://other", () -> machine.open("s3://other"));
            assertRefused("may not open s3://models-2", () -> machine.open("s3://models-2/x"));
        }
    }

    @Test
    void wrongCredentialsAreSaidWithoutTheSecret() {
        System.setProperty("aws.secretAccessKey", "another-secret");
        try (RemoteMachine machine = machine()) {
            String message = assertThrows(OutpostException.class, () -> machine.open("s3://models/tiny"))
                    .getMessage();
            assertTrue(message.contains("s3://models/tiny: the store answers 403"), message);
            assertFalse(message.contains("secret") || message.contains(S3Server.ACCESS_KEY), message);
        } finally {
            System.setProperty("aws.secretAccessKey", S3Server.SECRET_KEY);
        }
    }

    private static void assertRefused(String part, Executable call) {
        String message = assertThrows(OutpostException.class, call).getMessage();
        assertTrue(message.contains(part), message);
    }

    @Test
    void threadsOfClosedClientHaveEnded() throws Exception {
        Set<Thread> others = threads();
        S3AsyncClient another = S3Clients.ofEnvironment(new SourceSecrets());
        another.listBuckets().join();
        Set<Thread> own = threads();
        own.removeAll(others);
        assertFalse(own.isEmpty(), "its threads have another name");
        another.close();
        for (Thread thread : own) {
            Await.ended(thread.getName() + " ends", thread);
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("outpost-s3"))
                .collect(Collectors.toSet());
    }
}
