package dev.outpost.protocol.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.Trials;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests about sources and their answers are unchanged on the other side. */
class SourceMessagesTest {
    private static final SourceIndex INDEX = new SourceIndex(
            "file:/models/tiny",
            "0123",
            List.of(new SourceIndex.File("a.safetensors", 1L << 40), new SourceIndex.File("config.json", 7)),
            List.of(
                    new SourceIndex.Tensor(
                            "a.safetensors", "weight", new TensorType(DType.BFLOAT16, Shape.of(3, 1L << 33))),
                    new SourceIndex.Tensor("a.safetensors", "scale", new TensorType(DType.FLOAT32, Shape.SCALAR))),
            List.of(
                    new SourceIndex.Skipped("a.safetensors", "codes", "dtype U16 is not supported"),
                    new SourceIndex.Skipped("config.json", "", "it is none")));

    @Test
    void answersAreReadBack() {
        assertEquals(INDEX, SourceIndex.decode(INDEX.encode(true)));
        LoadProgress progress = new LoadProgress(3, 2, 1L << 40, 2_000_000_000);
        assertEquals(progress, LoadProgress.decode(progress.encode()));
        assertEquals((1L << 40) / 2.0, progress.rate());
    }

    /** An older runtime, or one that was not asked for it, does not send the skipped tensors. */
    @Test
    void anIndexWithoutWhatWasSkippedIsRead() {
        SourceIndex index = SourceIndex.decode(INDEX.encode(false));
        assertEquals(List.of(), index.skipped());
        assertEquals(INDEX.tensors(), index.tensors());
    }

    /** Mutated bytes of an index are read, or refused as malformed. */
    @Test
    void mutatedIndicesAreReadOrRefused() {
        byte[] sound = INDEX.encode(true);
        Trials.repeat(5_000, 1, random -> {
            byte[] mutated = Arrays.copyOf(sound, random.nextInt(1, sound.length + 4));
            mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
            try {
                SourceIndex.decode(mutated);
            } catch (MalformedException expected) {
                // Malformed bytes are expected to cause this.
            }
        });
    }
}
