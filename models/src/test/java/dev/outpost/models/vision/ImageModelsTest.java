package dev.outpost.models.vision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.models.Fixtures;
import dev.outpost.types.OutpostException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Image models have the same results as in transformers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImageModelsTest {
    private RemoteMachine machine;

    @BeforeAll
    void start() {
        machine = Fixtures.machine();
    }

    @AfterAll
    void stop() {
        machine.close();
    }

    private Tensor pixels(JsonNode expected) {
        return machine.tensor(Fixtures.reals(expected.get("pixels")), 2, 3, 12, 12);
    }

    @Test
    void imagesAreClassified() {
        JsonNode expected = Fixtures.expected("vit");
        try (VisionTransformer vit = VisionTransformer.load(machine, Fixtures.uri("vit"));
                Tensor pixels = pixels(expected);
                Tensor hidden = vit.hidden(pixels);
                Tensor logits = vit.logits(pixels)) {
            Fixtures.assertClose(expected.get("hidden"), hidden.toFloatArray());
            Fixtures.assertClose(expected.get("logits"), logits.toFloatArray());
            assertEquals(5, vit.labels().size());
            assertEquals("LABEL_3", vit.labels().get(3));
            String message = assertThrows(OutpostException.class, () -> vit.hidden(machine.zeros(1, 3, 8, 8)))
                    .getMessage();
            assertEquals("images: expected [batch, 3, 12, 12], got [1, 3, 8, 8]", message);
        }
    }

    @Test
    void textsAndImagesAreVectorsOfOneSpace() {
        JsonNode expected = Fixtures.expected("clip");
        List<int[]> texts =
                expected.get("texts").valueStream().map(Fixtures::ids).toList();
        try (Clip clip = Clip.load(machine, Fixtures.uri("clip"));
                Tensor pixels = pixels(expected);
                Tensor ofTexts = clip.embedTokens(texts);
                Tensor ofImages = clip.embedImages(pixels);
                Tensor scores = clip.scores(ofImages, ofTexts)) {
            Fixtures.assertClose(expected.get("text_embeds"), ofTexts.toFloatArray());
            Fixtures.assertClose(expected.get("image_embeds"), ofImages.toFloatArray());
            Fixtures.assertClose(expected.get("logits"), scores.toFloatArray());
        }
    }

    @Test
    void anotherArchitectureIsRefused() {
        assertTrue(assertThrows(OutpostException.class, () -> VisionTransformer.load(machine, Fixtures.uri("bert")))
                .getMessage()
                .contains("the model type bert is not known as a model of images"));
        assertTrue(assertThrows(OutpostException.class, () -> Clip.load(machine, Fixtures.uri("vit")))
                .getMessage()
                .endsWith("expected the model type clip, got vit"));
    }
}
