package dev.outpost.serving.openai;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import dev.outpost.serving.engine.EmbeddingModel;
import dev.outpost.serving.engine.GeneratingModel;
import dev.outpost.serving.engine.ModelDirectory;
import dev.outpost.serving.engine.ProgramModel;
import dev.outpost.serving.engine.RerankModel;
import dev.outpost.serving.http.ApiException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Ranks documents by their relevance for a query, in the form of Jina and Cohere. Uses the score of a reranker for query and document, or
 * the cosine of their vectors if the model makes vectors.
 */
@Path("/v1/rerank")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class RerankResource {
    private final ModelDirectory models;
    private final GenerationService generations;

    RerankResource(ModelDirectory models, GenerationService generations) {
        this.generations = generations;
        this.models = models;
    }

    /** @param topN the number of documents to return, the best first; all by default */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record RerankRequest(
            String model, String query, List<String> documents, Integer topN, Boolean returnDocuments) {}

    /** The documents, the most relevant first. */
    public record Ranking(String id, String model, List<Ranked> results, Usage usage) {}

    /** @param index the position of the document in the request */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Ranked(int index, double relevanceScore, Document document) {}

    /** A document. */
    public record Document(String text) {}

    @POST
    @RunOnVirtualThread
    public Ranking rank(RerankRequest request) {
        if (request == null || request.query() == null || request.documents() == null) {
            throw ApiException.invalid("query and documents are needed", request == null ? null : "documents");
        }
        Prompts.documents(request.documents());
        long begun = System.nanoTime();
        Relevance relevance = switch (models.ranking(request.model())) {
            case RerankModel model ->
                new Relevance(
                        model.relevance(request.query(), request.documents()),
                        model.tokens(request.query(), request.documents()));
            case EmbeddingModel model -> byVectors(model, request);
            case GeneratingModel other -> throw new IllegalStateException(other.name());
            case ProgramModel other -> throw new IllegalStateException(other.name());
        };
        generations.used(request.model(), relevance.tokens, begun);
        int max = request.topN() == null ? request.documents().size() : Math.max(1, request.topN());
        List<Ranked> ranked = IntStream.range(0, request.documents().size())
                .mapToObj(index -> new Ranked(
                        index,
                        relevance.scores[index],
                        Boolean.TRUE.equals(request.returnDocuments())
                                ? new Document(request.documents().get(index))
                                : null))
                .sorted(Comparator.comparingDouble(Ranked::relevanceScore).reversed())
                .limit(max)
                .toList();
        return new Ranking(Ids.draw("rerank-"), request.model(), ranked, Usage.ofPrompts(relevance.tokens));
    }

    /** The scores of all documents, and the number of computed tokens. */
    private record Relevance(double[] scores, int tokens) {}

    private static Relevance byVectors(EmbeddingModel model, RerankRequest request) {
        List<int[]> texts = new ArrayList<>(List.of(model.truncate(model.tokens(request.query()))));
        request.documents().forEach(document -> texts.add(model.truncate(model.tokens(document))));
        List<float[]> vectors = model.embed(texts);
        double[] scores = IntStream.range(0, request.documents().size())
                .mapToDouble(index -> cosine(vectors.getFirst(), vectors.get(index + 1)))
                .toArray();
        return new Relevance(
                scores, texts.stream().mapToInt(text -> text.length).sum());
    }

    private static double cosine(float[] left, float[] right) {
        double product = 0;
        double leftSquares = 0;
        double rightSquares = 0;
        for (int feature = 0; feature < left.length; feature++) {
            product += left[feature] * right[feature];
            leftSquares += left[feature] * left[feature];
            rightSquares += right[feature] * right[feature];
        }
        return product / Math.max(Math.sqrt(leftSquares * rightSquares), 1e-12);
    }
}
