package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.serving.engine.GeneratingModel;
import dev.outpost.serving.engine.GenerationStream;
import dev.outpost.serving.engine.ModelDirectory;
import dev.outpost.serving.engine.TextDelta;
import dev.outpost.serving.engine.TokenText;
import dev.outpost.serving.http.ApiException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** The completions of OpenAI's API, which continue texts. */
// Produces any type: a client that wants a stream accepts only the type of streams, and only the body shows which
// answer it wants.
@Path("/v1/completions")
@Produces(MediaType.WILDCARD)
@Consumes(MediaType.APPLICATION_JSON)
public class CompletionsResource {
    private static final int STANDARD_TOKENS = 16;
    private static final int MAX_LOGPROBS = 5;

    private final ModelDirectory models;
    private final GenerationService generations;
    private final ObjectMapper mapper;

    CompletionsResource(ModelDirectory models, GenerationService generations, ObjectMapper mapper) {
        this.models = models;
        this.generations = generations;
        this.mapper = mapper;
    }

    @POST
    @RunOnVirtualThread
    @Operation(summary = "Continues texts; a stream of events if stream is true")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = TextCompletion.class)))
    public Response create(CompletionRequest request) throws InterruptedException {
        check(request);
        GeneratingModel model = models.generating(request.model());
        List<int[]> prompts = Prompts.tokens("prompt", request.prompt(), model.tokenizer()::encode).stream()
                .map(prompt -> Prompts.truncated(prompt, request.truncatePromptTokens(), model.textTokens()))
                .toList();
        int logprobs = request.logprobs() == null ? -1 : request.logprobs();
        List<String> echoes = Boolean.TRUE.equals(request.echo())
                ? prompts.stream().map(model.tokenizer()::decode).toList()
                : List.of();
        Writing writing =
                new Writing(request, echoes, Ids.draw("cmpl-"), Instant.now().getEpochSecond());
        if (!echoes.isEmpty() && request.maxTokens() != null && request.maxTokens() == 0) {
            return echo(model, prompts, writing);
        }
        GenerationStream stream = generations.begin(model, prompts, request.sampling(STANDARD_TOKENS), logprobs, null);
        if (Boolean.TRUE.equals(request.stream())) {
            return ServerSentEvents.respond(mapper, stream, events -> writing.stream(stream, events));
        }
        return Response.ok(writing.whole(stream), MediaType.APPLICATION_JSON_TYPE)
                .build();
    }

    /** Answers with the prompts only, without generated tokens. */
    private Response echo(GeneratingModel model, List<int[]> prompts, Writing writing) {
        long begun = System.nanoTime();
        int choices = writing.request().sampling(0).choices();
        prompts.forEach(prompt -> GenerationService.requireContext(model, prompt.length, 0));
        int tokens = prompts.stream().mapToInt(prompt -> prompt.length).sum();
        generations.used(model.name(), tokens, begun);
        Usage usage = new Usage(tokens, 0, tokens, new Usage.PromptTokensDetails(0));
        if (Boolean.TRUE.equals(writing.request().stream())) {
            return ServerSentEvents.respond(mapper, events -> writing.streamEchoes(choices, usage, events));
        }
        return Response.ok(writing.completion(writing.echoChoices(choices), usage), MediaType.APPLICATION_JSON_TYPE)
                .build();
    }

    private static void check(CompletionRequest request) {
        if (request == null) {
            throw ApiException.invalid("the body is empty", null);
        }
        if (Boolean.TRUE.equals(request.echo()) && request.logprobs() != null) {
            throw ApiException.invalid(
                    "echo: the tokens of a prompt have no logprobs here; leave one of them out", "echo");
        }
        if (request.suffix() != null && !request.suffix().isEmpty()) {
            throw ApiException.invalid("suffix: texts are not filled in here", "suffix");
        }
        if (request.bestOf() != null && request.bestOf() != (request.n() == null ? 1 : request.n())) {
            throw ApiException.invalid("best_of: only a value equal to n is known, got " + request.bestOf(), "best_of");
        }
        if (request.logprobs() != null && (request.logprobs() < 0 || request.logprobs() > MAX_LOGPROBS)) {
            throw ApiException.invalid(
                    "logprobs: expected a value from 0 to " + MAX_LOGPROBS + ", got " + request.logprobs(), "logprobs");
        }
    }

    /** Writes an answer in this API's form. */
    private record Writing(CompletionRequest request, List<String> echoes, String id, long created) {
        /** Returns the prompt of a choice if the answer repeats prompts; else an empty text. */
        private String echo(int choice) {
            return echoes.isEmpty() ? "" : echoes.get(choice / (request.n() == null ? 1 : request.n()));
        }

        void stream(GenerationStream stream, ServerSentEvents events) throws IOException, InterruptedException {
            Set<Integer> begun = new HashSet<>();
            while (stream.hasNext()) {
                TextDelta delta = stream.next();
                String echo = begun.add(delta.choice()) ? echo(delta.choice()) : "";
                events.send(completion(
                        List.of(new TextCompletion.Choice(
                                delta.choice(),
                                echo + delta.text(),
                                logprobs(delta.tokens()),
                                FinishReason.of(delta.finish()))),
                        null));
            }
            end(Usage.of(stream), events);
        }

        private void end(Usage usage, ServerSentEvents events) throws IOException {
            if (request.streamOptions() != null
                    && Boolean.TRUE.equals(request.streamOptions().includeUsage())) {
                events.send(completion(List.of(), usage));
            }
            events.done();
        }

        /** @param choices the number of choices for each prompt */
        List<TextCompletion.Choice> echoChoices(int choices) {
            return IntStream.range(0, choices * echoes.size())
                    .mapToObj(choice -> new TextCompletion.Choice(choice, echo(choice), null, "length"))
                    .toList();
        }

        void streamEchoes(int choices, Usage usage, ServerSentEvents events) throws IOException {
            for (TextCompletion.Choice choice : echoChoices(choices)) {
                events.send(completion(List.of(choice), null));
            }
            end(usage, events);
        }

        TextCompletion whole(GenerationStream stream) throws InterruptedException {
            Map<Integer, StringBuilder> texts = new LinkedHashMap<>();
            Map<Integer, List<TokenText>> tokens = new LinkedHashMap<>();
            Map<Integer, String> reasons = new LinkedHashMap<>();
            while (stream.hasNext()) {
                TextDelta delta = stream.next();
                texts.computeIfAbsent(delta.choice(), choice -> new StringBuilder(echo(choice)))
                        .append(delta.text());
                tokens.computeIfAbsent(delta.choice(), choice -> new ArrayList<>())
                        .addAll(delta.tokens());
                reasons.put(delta.choice(), FinishReason.of(delta.finish()));
            }
            List<TextCompletion.Choice> choices = texts.keySet().stream()
                    .sorted()
                    .map(choice -> new TextCompletion.Choice(
                            choice, texts.get(choice).toString(), logprobs(tokens.get(choice)), reasons.get(choice)))
                    .toList();
            return completion(choices, Usage.of(stream));
        }

        private TextCompletion completion(List<TextCompletion.Choice> choices, Usage usage) {
            return new TextCompletion(id, "text_completion", created, request.model(), null, choices, usage);
        }

        private TextCompletion.Logprobs logprobs(List<TokenText> tokens) {
            if (request.logprobs() == null || tokens.isEmpty()) {
                return null;
            }
            return new TextCompletion.Logprobs(
                    tokens.stream().map(TokenText::name).toList(),
                    tokens.stream().map(TokenText::logprob).toList(),
                    tokens.stream().map(Writing::likeliest).toList(),
                    tokens.stream().map(TokenText::begin).toList());
        }

        /** Uses the names as keys, because several tokens may have the same text. */
        private static Map<String, Double> likeliest(TokenText token) {
            Map<String, Double> all = new LinkedHashMap<>();
            token.likeliest().forEach(other -> all.putIfAbsent(other.name(), other.logprob()));
            return all;
        }
    }
}
