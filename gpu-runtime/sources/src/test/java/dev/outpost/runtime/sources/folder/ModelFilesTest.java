package dev.outpost.runtime.sources.folder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.runtime.sources.TensorFile;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Checks the choice of files for the layouts in which models are published. */
class ModelFilesTest {
    private static final HostTensor ONE = HostTensor.of(new float[] {1}, 1);

    @TempDir
    private Path folder;

    private RemoteMachine machine;

    @BeforeEach
    void start() {
        machine = RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:" + folder));
    }

    @AfterEach
    void stop() {
        machine.close();
    }

    private void write(String file, String... tensors) throws IOException {
        Map<String, HostTensor> all = new HashMap<>();
        Arrays.stream(tensors).forEach(name -> all.put(name, ONE));
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.write(path, TensorFile.of(all));
    }

    private void writeIndex(String file, Map<String, String> places) throws IOException {
        StringBuilder json = new StringBuilder();
        places.forEach((tensor, place) ->
                json.append(json.isEmpty() ? "" : ",").append("\"" + tensor + "\":\"" + place + "\""));
        Files.writeString(folder.resolve(file), "{\"weight_map\":{" + json + "}}");
    }

    private void writeTorch(String file, String fixture) throws IOException {
        try (var in = getClass().getResourceAsStream("/torch/" + fixture)) {
            Files.write(folder.resolve(file), in.readAllBytes());
        }
    }

    private Source open() {
        return machine.open("file:" + folder);
    }

    private static void refused(String why, Executable call) {
        String message = assertThrows(OutpostException.class, call).getMessage();
        assertTrue(message.contains(why), message + " | " + why);
    }

    @Test
    void theFilesOfTheIndexAreLoadedAndOthersAreTold() throws IOException {
        write("model-00001-of-00002.safetensors", "a", "extra");
        write("model-00002-of-00002.safetensors", "b");
        write("consolidated.safetensors", "a", "layers.0.b");
        write("model.safetensors", "a", "b");
        writeTorch("pytorch_model.bin", "module.bin");
        writeIndex(
                "model.safetensors.index.json",
                Map.of("a", "model-00001-of-00002.safetensors", "b", "model-00002-of-00002.safetensors"));
        Source source = open();
        assertEquals(Set.of("a", "b"), source.loadStateDict().keySet());
        assertEquals(
                Map.of(
                        "consolidated.safetensors", "model.safetensors.index.json does not name it",
                        "model.safetensors", "model.safetensors.index.json does not name it",
                        "pytorch_model.bin", "the folder has safetensors files"),
                source.skippedFiles());
        assertEquals(Map.of("extra", "the index does not name it"), source.skippedTensors());
        refused("extra was left out: the index does not name it", () -> source.tensor("extra"));
    }

    @Test
    void withoutAnIndexTheModelIsLoadedAlone() throws IOException {
        write("model.safetensors", "a");
        write("adapter_model.safetensors", "a", "lora");
        write("optimizer.safetensors", "a");
        Source source = open();
        assertEquals(Set.of("a"), source.loadStateDict().keySet());
        assertEquals(
                Set.of("adapter_model.safetensors", "optimizer.safetensors"),
                source.skippedFiles().keySet());
        assertEquals(
                Set.of("a", "lora"),
                machine.open("file:" + folder + "/adapter_model.safetensors")
                        .tensors()
                        .keySet());
    }

    /** The weights must be loaded even if the folder also has an adapter or the state of an optimizer. */
    @Test
    void torchsModelGoesBeforeForeignSafetensors() throws IOException {
        writeTorch("pytorch_model.bin", "views.bin");
        write("adapter_model.safetensors", "lora");
        write("optimizer.safetensors", "moment");
        Source source = open();
        assertTrue(source.tensors().containsKey("parameter"));
        assertEquals(
                Map.of(
                        "adapter_model.safetensors", "files that are named pytorch_model are the model",
                        "optimizer.safetensors", "files that are named pytorch_model are the model"),
                source.skippedFiles());
    }

    @Test
    void modelsSafetensorsGoBeforeTorchsAndForeignOnes() throws IOException {
        writeTorch("pytorch_model.bin", "views.bin");
        write("adapter_model.safetensors", "lora");
        write("model.fp16.safetensors", "a");
        Source source = open();
        assertEquals(Set.of("a"), source.tensors().keySet());
        assertEquals(
                Set.of("adapter_model.safetensors", "pytorch_model.bin"),
                source.skippedFiles().keySet());
    }

    @Test
    void shardsWithoutAnIndexAreLoadedAlone() throws IOException {
        write("model-00001-of-00002.safetensors", "a");
        write("model-00002-of-00002.safetensors", "b");
        write("model_extra.safetensors", "c");
        write("adapter_model.safetensors", "a", "lora");
        Source source = open();
        assertEquals(Set.of("a", "b"), source.tensors().keySet());
        assertEquals(
                Map.of(
                        "adapter_model.safetensors", "it is no shard of the model",
                        "model_extra.safetensors", "it is no shard of the model"),
                source.skippedFiles());
    }

    @Test
    void shardsOfAnotherNameAreLoadedAlone() throws IOException {
        write("weights-00001-of-00001.safetensors", "a");
        write("training.safetensors", "a");
        assertEquals(Set.of("a"), open().tensors().keySet());
        assertEquals(Set.of("training.safetensors"), open().skippedFiles().keySet());
    }

    @Test
    void withoutEitherAllAreLoadedAndEachFolderIsItsOwn() throws IOException {
        write("first.safetensors", "a");
        write("second.safetensors", "b");
        write("unet/diffusion.safetensors", "c");
        Source source = open();
        assertEquals(Set.of("a", "b"), source.tensors().keySet());
        assertEquals(Set.of("c"), source.folder("unet").tensors().keySet());
        assertEquals(Map.of(), source.skippedFiles());
    }

    @Test
    void anIndexOfAVariantDoesNotCount() throws IOException {
        write("model-1.safetensors", "a");
        write("model.fp16-1.safetensors", "a");
        writeIndex("model.fp16.safetensors.index.json", Map.of("a", "model.fp16-1.safetensors"));
        writeIndex("model.safetensors.index.json", Map.of("a", "model-1.safetensors"));
        assertEquals("model-1.safetensors", open().tensor("a").file());
    }

    @Test
    void anIndexOfAMissingFileOrTensorIsRefused() throws IOException {
        write("model-1.safetensors", "a");
        writeIndex("model.safetensors.index.json", Map.of("a", "model-1.safetensors", "b", "model-2.safetensors"));
        refused("it names b in model-2.safetensors, but no such file exists", this::open);
        writeIndex("model.safetensors.index.json", Map.of("a", "model-1.safetensors", "b", "model-1.safetensors"));
        refused("model-1.safetensors: the index names b in it, but it has no such tensor", this::open);
    }

    @Test
    void placeholdersAreNamed() throws IOException {
        Path model = folder.resolve("model.safetensors");
        Files.writeString(model, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1234\n");
        refused("model.safetensors is a pointer of Git LFS", this::open);
        Files.writeString(model, "<!doctype html>\n<html><title>Sign in</title></html>");
        refused("model.safetensors is a page of HTML, such as a page to log in", this::open);
        Files.delete(model);
        Files.writeString(folder.resolve("tokenizer.json"), "version https://git-lfs.github.com/spec/v1\n");
        refused("tokenizer.json is a pointer of Git LFS", () -> open().text("tokenizer.json"));
    }

    @Test
    void tensorsOfOtherDtypesAreLeftOutAlone() throws IOException {
        String header = "{\"f8\":{\"dtype\":\"F8_E4M3\",\"shape\":[3],\"data_offsets\":[0,3]},"
                + "\"u16\":{\"dtype\":\"U16\",\"shape\":[2],\"data_offsets\":[3,7]},"
                + "\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[7,11]}}";
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer file = ByteBuffer.allocate(8 + json.length + 11).order(ByteOrder.LITTLE_ENDIAN);
        file.putLong(json.length).put(json).position(8 + json.length + 7).putFloat(2.5f);
        Files.write(folder.resolve("model.safetensors"), file.array());
        Source source = open();
        assertArrayEquals(new float[] {2.5f}, source.loadStateDict().get("x").toFloatArray());
        assertEquals(
                Map.of("f8", "dtype F8_E4M3 is not supported", "u16", "dtype U16 is not supported"),
                source.skippedTensors());
        refused("f8 was left out: dtype F8_E4M3 is not supported", () -> source.tensor("f8"));
    }

    @Test
    void torchsFilesAreLoadedWhereThereAreNoOthers() throws IOException {
        writeTorch("pytorch_model.bin", "views.bin");
        Files.writeString(folder.resolve("training_args.bin"), "anything");
        Source source = open();
        assertArrayEquals(new float[] {1, -2}, source.tensor("parameter").load().toFloatArray());
        assertArrayEquals(
                new float[] {0, 3, 1, 4, 2, 5},
                source.tensor("transposed").load().toFloatArray());
        assertArrayEquals(
                new float[] {1, 4},
                source.tensor("transposed").narrow(0, 1, 1).load().toFloatArray());
        assertArrayEquals(
                new float[] {7, 7, 7}, source.tensor("expanded").load().toFloatArray());
        assertArrayEquals(
                new float[] {0, 3, 6, 9}, source.tensor("steps").load().toFloatArray());
        assertArrayEquals(
                new float[] {4, 5, 6, 7}, source.tensor("middle").load().toFloatArray());
        float[] cube = source.tensor("cube").load().toFloatArray();
        float[] wanted = new float[24];
        for (int place = 0; place < 24; place++) {
            wanted[place] = place % 6 * 4 + place / 6;
        }
        assertArrayEquals(wanted, cube);
        assertArrayEquals(
                new float[] {9, 21},
                source.tensor("cube").narrow(0, 1, 1).narrow(2, 2, 1).load().toFloatArray());
        assertEquals(DType.INT64, source.tensor("scalar").dtype());
    }

    @Test
    void torchsShardsGoByTheirIndexAndAHostilePickleIsRefused() throws IOException {
        writeTorch("pytorch_model-1.bin", "module.bin");
        writeTorch("pytorch_model-2.bin", "dtypes.bin");
        writeTorch("pytorch_model.bin", "module.bin");
        writeIndex(
                "pytorch_model.bin.index.json",
                Map.of(
                        "0.weight",
                        "pytorch_model-1.bin",
                        "float16",
                        "pytorch_model-2.bin",
                        "float8",
                        "pytorch_model-2.bin"));
        Source source = open();
        assertEquals(Set.of("0.weight", "float16"), source.tensors().keySet());
        assertEquals(
                "dtype float8_e4m3fn is not supported", source.skippedTensors().get("float8"));
        assertArrayEquals(
                new float[] {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f},
                source.tensor("0.weight").load().toFloatArray());
        writeIndex("pytorch_model.bin.index.json", Map.of("0.weight", "../pytorch_model-1.bin"));
        refused("expected the name of a .bin file beside the index", this::open);
        Files.delete(folder.resolve("pytorch_model.bin.index.json"));
        writeTorch("pytorch_model.bin", "object.bin");
        refused("torch.nn.modules.container.Sequential\" is none of a state dict; nothing of it was run", this::open);
    }
}
