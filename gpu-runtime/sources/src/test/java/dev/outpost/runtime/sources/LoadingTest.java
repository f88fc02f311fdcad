package dev.outpost.runtime.sources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.protocol.files.SafetensorsLayout;
import dev.outpost.stats.MachineStats;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of loading besides the loaded values. */
class LoadingTest {
    private static final int ELEMENTS = 4 << 20;
    private static final long BYTES = 4L * ELEMENTS;
    private static final int PARTS = 8;
    private static final long PART_BYTES = 8L << 20;

    /** By the counters of the client's own connection: names, shapes and acknowledgements pass, and not a hundredth of the weights. */
    @Test
    void noWeightsPassThroughTheClient(@TempDir Path folder) throws Exception {
        Files.write(
                folder.resolve("model.safetensors"),
                TensorFile.of(Map.of("x", HostTensor.of(new float[ELEMENTS], ELEMENTS))));
        try (RemoteMachine machine =
                RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:" + folder))) {
            machine.awaitReady();
            MachineStats before = machine.stats();
            SequencedMap<String, Tensor> loaded = machine.open("file:" + folder).loadStateDict();
            assertEquals(BYTES, machine.open("file:" + folder).progress().bytes());
            long saved = machine.save("file:" + folder + "/again", loaded);
            MachineStats after = machine.stats();
            assertTrue(saved >= BYTES, saved + " bytes saved");
            assertEquals(saved, Files.size(folder.resolve("again").resolve("model.safetensors")));
            long passed = after.bytesOut() - before.bytesOut() + after.bytesIn() - before.bytesIn();
            assertTrue(passed < BYTES / 100, passed + " bytes passed through the client");
            loaded.get("x").close();
        }
    }

    /** Several tensors of several parts each, all wanted at once. */
    @Test
    void aFewPartsAreInMemoryBesideTheTensors() {
        int count = 4;
        long elements = 3 * PART_BYTES / 4;
        Map<String, TensorType> types = new java.util.LinkedHashMap<>();
        for (int tensor = 0; tensor < count; tensor++) {
            types.put("t" + tensor, new TensorType(DType.FLOAT32, Shape.of(elements)));
        }
        SafetensorsLayout layout = SafetensorsLayout.of(types, Map.of());
        CountedStores.put(layout.head(), layout.size(), PARTS);
        try (RemoteMachine machine =
                RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "counted:/models"))) {
            SequencedMap<String, Tensor> loaded =
                    machine.open("counted:/models").loadStateDict();
            assertEquals(count, loaded.size());
            assertEquals(PARTS, CountedStores.MOST_READS.get());
            assertTrue(CountedStores.MOST_BYTES.get() <= PARTS * PART_BYTES, CountedStores.MOST_BYTES + " bytes");
            loaded.values().forEach(Tensor::close);
        }
    }
}
