package dev.outpost.models.vision;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.models.Fixtures;
import dev.outpost.types.OutpostException;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Processed images equal those of Pillow and transformers. */
class ImageProcessorTest {
    private static final JsonNode CASES = Fixtures.json("images/expected.json");
    private static final Path NOISE = Fixtures.folder().resolve("images").resolve("noise.png");

    static IntStream cases() {
        return IntStream.range(0, CASES.size());
    }

    /** Bit by bit before they are scaled, because Pillow rounds to eight bits. */
    @ParameterizedTest
    @MethodSource("cases")
    void pixelsAreThoseOfPillow(int which) {
        JsonNode wanted = CASES.get(which);
        try (RemoteMachine machine = Fixtures.machine();
                Tensor pixels =
                        ImageProcessor.of("a model", wanted.get("config")).pixels(machine, List.of(NOISE, NOISE))) {
            int[] shape = Fixtures.ids(wanted.get("shape"));
            assertArrayEquals(
                    new long[] {2, shape[0], shape[1], shape[2]}, pixels.shape().toArray());
            float[] values = pixels.toFloatArray();
            for (int place = 0; place < values.length; place++) {
                double expected =
                        wanted.get("pixels").get(place % (values.length / 2)).doubleValue();
                assertEquals(expected, values[place], 1e-5, "element " + place);
            }
        }
    }

    @Test
    void unusableConfigurationIsRefused() {
        JsonNode keeps = JsonNodeFactory.instance.objectNode().put("do_resize", false);
        BufferedImage one = new BufferedImage(4, 5, BufferedImage.TYPE_INT_RGB);
        BufferedImage other = new BufferedImage(4, 6, BufferedImage.TYPE_INT_RGB);
        try (RemoteMachine machine = Fixtures.machine()) {
            String sizes = assertThrows(
                            OutpostException.class,
                            () -> ImageProcessor.of("a model", keeps).ofImages(machine, List.of(one, other)))
                    .getMessage();
            assertEquals("images: the model keeps sizes, and these differ: 4 x 5 and 4 x 6", sizes);
            Path text = Fixtures.folder().resolve("beams.json");
            String kind = assertThrows(
                            OutpostException.class,
                            () -> ImageProcessor.of("a model", keeps).pixels(machine, List.of(text)))
                    .getMessage();
            assertTrue(kind.endsWith("beams.json is no image of a kind that is known"), kind);
            JsonNode lanczos =
                    JsonNodeFactory.instance.objectNode().put("size", 8).put("resample", 1);
            String filter = assertThrows(
                            OutpostException.class,
                            () -> ImageProcessor.of("a model", lanczos).ofImages(machine, List.of(one)))
                    .getMessage();
            assertEquals("images: resampling by 2 (bilinear) and 3 (bicubic) is known, got 1", filter);
        }
    }
}
