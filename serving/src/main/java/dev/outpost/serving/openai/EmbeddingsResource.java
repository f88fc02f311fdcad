package dev.outpost.serving.openai;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import dev.outpost.serving.engine.EmbeddingModel;
import dev.outpost.serving.engine.ModelDirectory;
import dev.outpost.serving.http.ApiException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;

/** The embeddings of OpenAI's API: vectors of texts. */
@Path("/v1/embeddings")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class EmbeddingsResource {
    private final ModelDirectory models;
    private final GenerationService generations;

    EmbeddingsResource(ModelDirectory models, GenerationService generations) {
        this.generations = generations;
        this.models = models;
    }

    /**
     * Texts to embed.
     *
     * @param input a text, tokens, or an array of texts or of arrays of tokens
     * @param encodingFormat {@code float} or {@code base64}, which is float32 with the lowest byte first
     * @param truncate true or null to truncate texts that are too long, which the answer reports; false to refuse them
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record EmbeddingRequest(
            String model, JsonNode input, String encodingFormat, Integer dimensions, String user, Boolean truncate) {}

    /**
     * A vector.
     *
     * @param embedding numbers, or their bytes in base64
     * @param truncatedFrom the number of tokens before truncation; null if the text was not truncated
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record Embedding(
            String object,
            int index,
            Object embedding,
            @JsonInclude(JsonInclude.Include.NON_NULL) Integer truncatedFrom) {}

    /** The vectors, one for each text. */
    public record EmbeddingList(String object, List<Embedding> data, String model, EmbeddingUsage usage) {}

    /** The number of tokens of all texts, after truncation. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record EmbeddingUsage(int promptTokens, int totalTokens) {}

    @POST
    @RunOnVirtualThread
    public EmbeddingList create(EmbeddingRequest request) {
        if (request == null) {
            throw ApiException.invalid("the body is empty", null);
        }
        EmbeddingModel model = models.embedding(request.model());
        List<int[]> whole = Prompts.tokens("input", request.input(), model::tokens);
        if (Boolean.FALSE.equals(request.truncate())) {
            requireFitting(whole, model.textTokens());
        }
        if (request.dimensions() != null && request.dimensions() != model.features()) {
            throw ApiException.invalid(
                    "dimensions: this model's vectors have " + model.features() + ", got " + request.dimensions(),
                    "dimensions");
        }
        boolean isBase64 = isBase64(request.encodingFormat());
        long begun = System.nanoTime();
        List<int[]> texts = whole.stream().map(model::truncate).toList();
        List<float[]> vectors = model.embed(texts);
        List<Embedding> data = IntStream.range(0, vectors.size())
                .mapToObj(index -> new Embedding(
                        "embedding",
                        index,
                        isBase64 ? base64(vectors.get(index)) : vectors.get(index),
                        texts.get(index).length < whole.get(index).length ? whole.get(index).length : null))
                .toList();
        int tokens = texts.stream().mapToInt(text -> text.length).sum();
        generations.used(request.model(), tokens, begun);
        return new EmbeddingList("list", data, request.model(), new EmbeddingUsage(tokens, tokens));
    }

    private static void requireFitting(List<int[]> texts, int max) {
        for (int index = 0; index < texts.size(); index++) {
            if (texts.get(index).length > max) {
                throw ApiException.invalid(
                        "input: this model takes texts of up to " + max + " tokens, got " + texts.get(index).length
                                + " for the text " + index + "; \"truncate\": true cuts it",
                        "input");
            }
        }
    }

    private static boolean isBase64(String format) {
        return switch (format) {
            case null -> false;
            case "float" -> false;
            case "base64" -> true;
            default ->
                throw ApiException.invalid(
                        "encoding_format: expected float or base64, got " + format, "encoding_format");
        };
    }

    private static String base64(float[] vector) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * vector.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(vector);
        return Base64.getEncoder().encodeToString(bytes.array());
    }
}
