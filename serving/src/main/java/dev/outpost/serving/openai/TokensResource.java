package dev.outpost.serving.openai;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import dev.outpost.serving.engine.GeneratingModel;
import dev.outpost.serving.engine.ModelDirectory;
import dev.outpost.serving.http.ApiException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Converts texts and conversations to tokens and back, with vLLM's endpoints. */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class TokensResource {
    private final ModelDirectory models;
    private final ObjectMapper mapper;

    TokensResource(ModelDirectory models, ObjectMapper mapper) {
        this.models = models;
        this.mapper = mapper;
    }

    /**
     * The request for tokens of a text or of a conversation.
     *
     * @param addSpecialTokens true or null to add the tokens with which the model begins and ends texts
     * @param returnTokenStrs true to get the text of each token, too
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record TokenizeRequest(
            String model,
            String prompt,
            Boolean addSpecialTokens,
            Boolean returnTokenStrs,
            List<ChatRequest.Message> messages,
            List<ChatRequest.Tool> tools,
            Map<String, Object> chatTemplateKwargs) {}

    /** @param maxModelLen the maximum number of tokens of a text */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Tokens(int count, int maxModelLen, int[] tokens, List<String> tokenStrs) {}

    /** The request for the text of tokens. */
    public record DetokenizeRequest(String model, List<Integer> tokens) {}

    /** The text of tokens. */
    public record Text(String prompt) {}

    @POST
    @Path("/tokenize")
    @RunOnVirtualThread
    public Tokens tokenize(TokenizeRequest request) {
        if (request == null || (request.prompt() == null) == (request.messages() == null)) {
            throw ApiException.invalid("prompt: expected a prompt or messages", "prompt");
        }
        GeneratingModel model = models.generating(request.model());
        int[] tokens = request.prompt() == null
                ? Conversation.tokens(model, request.messages(), request.tools(), request.chatTemplateKwargs(), mapper)
                : model.tokenizer().encode(request.prompt(), !Boolean.FALSE.equals(request.addSpecialTokens()));
        List<String> texts = Boolean.TRUE.equals(request.returnTokenStrs())
                ? IntStream.of(tokens)
                        .mapToObj(token -> model.tokenizer().decode(new int[] {token}))
                        .toList()
                : null;
        return new Tokens(tokens.length, model.textTokens(), tokens, texts);
    }

    @POST
    @Path("/detokenize")
    @RunOnVirtualThread
    public Text detokenize(DetokenizeRequest request) {
        if (request == null || request.tokens() == null) {
            throw ApiException.invalid("tokens: expected an array of tokens", "tokens");
        }
        GeneratingModel model = models.generating(request.model());
        int[] tokens = request.tokens().stream()
                .mapToInt(token -> token == null ? -1 : token)
                .toArray();
        if (Arrays.stream(tokens).anyMatch(token -> token < 0 || token >= model.vocabulary())) {
            throw ApiException.invalid("tokens: expected numbers from 0 to " + (model.vocabulary() - 1), "tokens");
        }
        return new Text(model.tokenizer().decode(tokens));
    }
}
