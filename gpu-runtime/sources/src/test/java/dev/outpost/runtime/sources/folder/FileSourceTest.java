package dev.outpost.runtime.sources.folder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.IncompatibleKeys;
import dev.outpost.nn.Linear;
import dev.outpost.runtime.sources.TensorFile;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSourceTest {
    @TempDir
    private Path folder;

    private Path model;

    @BeforeEach
    void writeModel() throws IOException {
        model = Files.createDirectories(folder.resolve("models/tiny"));
        HostTensor weight = HostTensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
        HostTensor bias = HostTensor.of(new float[] {0.5f, -1}, 2);
        Files.write(model.resolve("model.safetensors"), TensorFile.of(Map.of("weight", weight, "bias", bias)));
        Files.writeString(model.resolve("config.json"), "{\"model_type\":\"täst\"}");
    }

    private RemoteMachine machine() {
        return machine("file:" + folder.resolve("models"));
    }

    private static RemoteMachine machine(String sources) {
        return RemoteMachine.of("mock", "any", new MachineOptions().option("sources", sources));
    }

    private String uri() {
        return "file:" + model;
    }

    @Test
    void aSourceTellsItsFilesAndTensors() {
        try (RemoteMachine machine = machine()) {
            Source source = machine.open(uri());
            assertEquals(
                    Set.of("config.json", "model.safetensors"), source.files().keySet());
            assertEquals("{\"model_type\":\"täst\"}", source.text("config.json"));
            assertEquals(List.of("bias", "weight"), List.copyOf(source.tensors().keySet()));
            assertEquals(Shape.of(2, 3), source.tensor("weight").shape());
            assertEquals(DType.FLOAT32, source.tensor("weight").dtype());
        }
    }

    @Test
    void loadedTensorsHaveTheStoredElements() {
        try (RemoteMachine machine = machine()) {
            Source source = machine.open(uri());
            Map<String, Tensor> state = source.loadStateDict();
            assertArrayEquals(
                    new float[] {1, 2, 3, 4, 5, 6}, state.get("weight").toFloatArray());
            assertArrayEquals(new float[] {0.5f, -1}, state.get("bias").toFloatArray());
            assertEquals(8 * 4, source.progress().bytes());
            assertEquals(2, source.progress().done());
        }
    }

    @Test
    void partsAndCastsAreMadeOnTheWay() {
        try (RemoteMachine machine = machine()) {
            Source source = machine.open(uri());
            Tensor columns = source.tensor("weight").narrow(1, 1, 2).load();
            assertArrayEquals(new float[] {2, 3, 5, 6}, columns.toFloatArray());
            Tensor last =
                    source.tensor("weight").narrow(0, 1, 1).narrow(-1, 2, 1).load();
            assertArrayEquals(new float[] {6}, last.toFloatArray());
            Tensor half = source.tensor("bias").to(DType.BFLOAT16).load();
            assertEquals(DType.BFLOAT16, half.dtype());
            assertArrayEquals(new float[] {0.5f, -1}, half.to(DType.FLOAT32).toFloatArray());
            assertEquals(
                    "load: bias is stored as float32, and only floating dtypes are cast on their way, got int64",
                    assertThrows(
                                    OutpostException.class,
                                    () -> source.tensor("bias").to(DType.INT64))
                            .getMessage());
        }
    }

    @Test
    void computationLeavesLoadedValuesUnchanged() {
        try (RemoteMachine machine = machine()) {
            Source source = machine.open(uri());
            Tensor weight = source.tensor("weight").load();
            weight.add_(1).mul_(2);
            assertArrayEquals(new float[] {4, 6, 8, 10, 12, 14}, weight.toFloatArray());
            try (Tensor again = source.tensor("weight").load()) {
                again.relu_();
                assertArrayEquals(new float[] {1, 2, 3, 4, 5, 6}, again.toFloatArray());
            }
            assertArrayEquals(
                    new float[] {1, 2, 3, 4, 5, 6},
                    source.tensor("weight").load().toFloatArray());
        }
    }

    @Test
    void aModuleTakesOverASource() {
        try (RemoteMachine machine = machine()) {
            Linear linear = new Linear(3, 2);
            IncompatibleKeys keys = linear.loadStateDict(machine.open(uri()), true);
            assertTrue(keys.missing().isEmpty() && keys.unexpected().isEmpty());
            Tensor output = linear.forward(machine.ones(1, 3));
            assertArrayEquals(new float[] {6.5f, 14}, output.detach().toFloatArray());
        }
    }

    @Test
    void aModuleSaysWhatDoesNotFit() throws IOException {
        HostTensor other = HostTensor.of(new float[] {1, 2}, 1, 2);
        Files.write(model.resolve("model.safetensors"), TensorFile.of(Map.of("weight", other, "scale", other)));
        try (RemoteMachine machine = machine()) {
            assertEquals(
                    "load_state_dict: weight has another shape, the module has [2, 3], got [1, 2]; missing bias;"
                            + " unexpected scale",
                    assertThrows(
                                    OutpostException.class,
                                    () -> new Linear(3, 2).loadStateDict(machine.open(uri()), true))
                            .getMessage());
        }
    }

    @Test
    void foldersHaveStateDictsOfTheirOwn() throws IOException {
        Path part = Files.createDirectories(model.resolve("text_encoder"));
        Files.write(
                part.resolve("model.safetensors"), TensorFile.of(Map.of("weight", HostTensor.of(new float[] {7}, 1))));
        try (RemoteMachine machine = machine()) {
            Source source = machine.open(uri());
            assertEquals(Shape.of(2, 3), source.tensor("weight").shape());
            assertArrayEquals(
                    new float[] {7},
                    source.folder("text_encoder").tensor("weight").load().toFloatArray());
        }
    }

    @Test
    void shardsAreOneStateDictAndAMissingOneIsRefused() throws IOException {
        Files.delete(model.resolve("model.safetensors"));
        HostTensor one = HostTensor.of(new float[] {1}, 1);
        Files.write(model.resolve("model-00001-of-00002.safetensors"), TensorFile.of(Map.of("a", one)));
        Files.writeString(
                model.resolve("model.safetensors.index.json"),
                "{\"weight_map\":{\"a\":\"model-00001-of-00002.safetensors\",\"b\":\"model-00002-of-00002.safetensors\"}}");
        try (RemoteMachine machine = machine()) {
            assertRefused(
                    "it names b in model-00002-of-00002.safetensors, but no such file exists",
                    () -> machine.open(uri()));
            Files.write(model.resolve("model-00002-of-00002.safetensors"), TensorFile.of(Map.of("b", one)));
            assertEquals(Set.of("a", "b"), machine.open(uri()).loadStateDict().keySet());
        }
    }

    @Test
    void nothingIsOpenedThatIsNotAllowed() throws IOException {
        Path secret = Files.createDirectories(folder.resolve("secret"));
        Files.writeString(secret.resolve("key.json"), "{}");
        Files.createSymbolicLink(model.resolve("link.json"), secret.resolve("key.json"));
        try (RemoteMachine machine = machine()) {
            assertRefused("may not open file:" + secret, () -> machine.open("file:" + secret));
            assertRefused("may not open", () -> machine.open("file:" + folder.resolve("models/../secret")));
            assertRefused("link.json leads elsewhere", () -> machine.open(uri()));
            assertRefused("may not open file:" + folder, () -> machine.open("file:" + folder + "/modelsx"));
            assertRefused("expected a URI with one of these schemes", () -> machine.open("gopher://x"));
            assertRefused("there is nothing at", () -> machine.open(uri() + "/none"));
            Files.delete(model.resolve("link.json"));
            Source source = machine.open(uri());
            assertRefused("has no file ../../secret/key.json", () -> source.text("../../secret/key.json"));
            assertRefused("has no file " + secret + "/key.json", () -> source.text(secret + "/key.json"));
        }
        try (RemoteMachine closed = RemoteMachine.of("mock", "any")) {
            assertRefused("only nothing; its setting of sources", () -> closed.open(uri()));
        }
    }

    @Test
    void filesThatChangedAreRefused() throws IOException {
        try (RemoteMachine machine = machine()) {
            Source source = machine.open(uri());
            Files.setLastModifiedTime(
                    model.resolve("model.safetensors"), FileTime.from(Instant.parse("2001-01-01T00:00:00Z")));
            assertRefused("was changed after the source was opened", source::loadStateDict);
        }
    }

    @Test
    void aTruncatedFileIsRefusedByName() throws IOException {
        Path file = model.resolve("model.safetensors");
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 4));
        try (RemoteMachine machine = machine()) {
            assertRefused("model.safetensors: the tensors end at byte", () -> machine.open(uri()));
        }
    }

    @Test
    void savedTensorsAreLoadedAgain() {
        try (RemoteMachine machine = machine()) {
            Tensor matrix = machine.tensor(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
            Map<String, Tensor> state = Map.of(
                    "turned",
                    matrix.t(),
                    "part",
                    matrix.narrow(1, 1, 1),
                    "half",
                    matrix.mul(2).to(DType.BFLOAT16));
            String uri = "file:" + folder.resolve("models/new/deep");
            assertTrue(machine.save(uri, state, Map.of("config.json", "{}"), 1 << 20) > 24 + 8 + 12);
            Source saved = machine.open(uri);
            assertEquals(
                    Set.of("config.json", "model.safetensors"), saved.files().keySet());
            Map<String, Tensor> loaded = saved.loadStateDict();
            assertArrayEquals(
                    new float[] {1, 4, 2, 5, 3, 6}, loaded.get("turned").toFloatArray());
            assertArrayEquals(new float[] {2, 5}, loaded.get("part").toFloatArray());
            assertEquals(DType.BFLOAT16, loaded.get("half").dtype());
            assertRefused("there is a model at " + uri + " already", () -> machine.save(uri, state));
            assertRefused("may not open", () -> machine.save("file:" + folder.resolve("elsewhere"), state));
        }
    }

    /** A step that changes a tensor makes a new value, whether the old one is written by then or not. */
    @Test
    void saveBesideOtherWorkHasTheValuesOfItsStart() {
        try (RemoteMachine machine = machine()) {
            Tensor weight = machine.full(1, DType.FLOAT32, 1 << 20);
            String uri = "file:" + folder.resolve("models/beside");
            var written = machine.saveAsync(uri, Map.of("weight", weight), Map.of(), 1 << 30);
            for (int step = 0; step < 20; step++) {
                weight.add_(1);
            }
            assertEquals(21f, weight.narrow(0, 0, 1).toFloatArray()[0]);
            assertTrue(written.join() > 4 << 20);
            assertEquals(
                    1f, machine.open(uri).loadStateDict().get("weight").amax().toFloatArray()[0]);
            var again = machine.saveAsync(uri, Map.of("weight", weight), Map.of(), 1 << 30);
            String message =
                    assertThrows(CompletionException.class, again::join).getMessage();
            assertTrue(message.contains("there is a model at " + uri + " already"), message);
        }
    }

    @Test
    void anAllowedFolderNeedNotBeThereBeforeSomethingIsSaved() {
        Path allowed = folder.resolve("later/runs");
        try (RemoteMachine machine =
                RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:" + allowed))) {
            Map<String, Tensor> state = Map.of("a", machine.zeros(DType.FLOAT32, 2));
            assertRefused("may not open", () -> machine.save("file:" + allowed + "/../up", state));
            assertFalse(Files.exists(allowed));
            machine.save("file:" + allowed + "/one", state);
            assertTrue(Files.exists(allowed.resolve("one/model.safetensors")));
        }
    }

    @Test
    void filesOfTensorsMayHaveAnotherName() {
        try (RemoteMachine machine = machine()) {
            String uri = "file:" + folder.resolve("models/adapter");
            Map<String, Tensor> state = Map.of("a", machine.zeros(DType.FLOAT32, 2));
            machine.saveAsync(uri, state, Map.of(), 1 << 20, "adapter_model").join();
            assertEquals(
                    Set.of("adapter_model.safetensors"),
                    machine.open(uri).files().keySet());
            var refused = machine.saveAsync(uri + "2", state, Map.of(), 1 << 20, "../up");
            String message =
                    assertThrows(CompletionException.class, refused::join).getMessage();
            assertTrue(message.contains("expected a plain name of files"), message);
        }
    }

    @Test
    void aCheckpointIsDeletedAndNothingElseIs() {
        try (RemoteMachine machine = machine()) {
            Map<String, Tensor> state =
                    Map.of("a", machine.zeros(DType.FLOAT32, 200), "b", machine.zeros(DType.FLOAT32, 200));
            String model = "file:" + folder.resolve("models/kept");
            machine.save(model, state);
            assertRefused("there is no checkpoint at " + model, () -> machine.deleteCheckpoint(model));
            assertEquals(1, machine.open(model).files().size());
            String checkpoint = "file:" + folder.resolve("models/run/step-1");
            machine.save(checkpoint, state, Map.of("checkpoint.json", "{}"), 100);
            machine.deleteCheckpoint(checkpoint);
            assertFalse(Files.exists(folder.resolve("models/run/step-1")));
            assertTrue(Files.exists(folder.resolve("models/run")));
            assertRefused("there is nothing at", () -> machine.deleteCheckpoint(checkpoint));
            machine.save(checkpoint, state, Map.of("checkpoint.json", "{}", "notes.txt", "mine"), 100);
            machine.save(checkpoint + "/kept", state);
            machine.deleteCheckpoint(checkpoint);
            assertEquals(
                    Set.of("notes.txt", "kept/model.safetensors"),
                    machine.open(checkpoint).files().keySet());
            assertRefused("there is no checkpoint at", () -> machine.deleteCheckpoint(checkpoint));
            assertRefused("may not open", () -> machine.deleteCheckpoint("file:" + folder.resolve("elsewhere")));
        }
    }

    /** A killed machine leaves the beginnings of files, which only the checkpoint's own go with it. */
    @Test
    void draftsOfACheckpointGoWithIt() throws Exception {
        try (RemoteMachine machine = machine()) {
            String checkpoint = "file:" + folder.resolve("models/run/step-2");
            machine.save(
                    checkpoint, Map.of("a", machine.zeros(DType.FLOAT32, 2)), Map.of("checkpoint.json", "{}"), 100);
            Path place = folder.resolve("models/run/step-2");
            Files.writeString(place.resolve(".notes.txt77.part"), "kept");
            Files.writeString(place.resolve(".model-00002-of-00003.safetensors77.part"), "a draft");
            machine.deleteCheckpoint(checkpoint);
            try (Stream<Path> left = Files.list(place)) {
                assertEquals(
                        List.of(".notes.txt77.part"),
                        left.map(file -> file.getFileName().toString()).toList());
            }
        }
    }

    @Test
    void aPartOfAFileIsRead() throws Exception {
        Files.createDirectories(folder.resolve("models/texts"));
        Files.writeString(folder.resolve("models/texts/lines.txt"), "0123456789");
        try (RemoteMachine machine = machine()) {
            Source source = machine.open("file:" + folder.resolve("models/texts"));
            assertEquals("345", new String(source.bytes("lines.txt", 3, 3)));
            assertEquals("89", new String(source.bytes("lines.txt", 8, 100)));
            assertEquals(0, source.bytes("lines.txt", 50, 1).length);
            assertEquals("0123456789", source.text("lines.txt"));
            assertRefused("from -1 on", () -> source.bytes("lines.txt", -1, 1));
        }
    }

    @Test
    void manyTensorsAreSavedInShardsWithAnIndex() {
        try (RemoteMachine machine = machine()) {
            String uri = "file:" + folder.resolve("models/sharded");
            Map<String, Tensor> state = new TreeMap<>();
            for (int number = 0; number < 5; number++) {
                state.put("t" + number, machine.full(number, DType.FLOAT32, 10));
            }
            machine.save(uri, state, Map.of(), 100);
            Source saved = machine.open(uri);
            assertEquals(4, saved.files().size(), () -> saved.files().toString());
            Map<String, Tensor> loaded = saved.loadStateDict();
            assertEquals(5, loaded.size());
            assertEquals(3f, loaded.get("t3").toFloatArray()[9]);
        }
    }

    @Test
    void failedTensorIsNotSaved() {
        RemoteMachine machine = machine();
        Tensor lost = machine.arange(4).floorDivide(machine.zeros(DType.INT64, 4));
        String uri = "file:" + folder.resolve("models/lost");
        assertRefused("floor_divide", () -> machine.save(uri, Map.of("lost", lost)));
        assertFalse(Files.exists(folder.resolve("models/lost/model.safetensors")));
        assertRefused("floor_divide", machine::close);
    }

    private static void assertRefused(String part, org.junit.jupiter.api.function.Executable call) {
        String message = assertThrows(OutpostException.class, call).getMessage();
        assertTrue(message.contains(part), message);
    }
}
