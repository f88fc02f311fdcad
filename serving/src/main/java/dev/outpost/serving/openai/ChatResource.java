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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** The chat completions of OpenAI's API. */
// Produces any type: a client that wants a stream accepts only the type of streams, and only the body shows which
// answer it wants.
@Path("/v1/chat/completions")
@Produces(MediaType.WILDCARD)
@Consumes(MediaType.APPLICATION_JSON)
public class ChatResource {
    private static final int MAX_LOGPROBS = 20;

    private final ModelDirectory models;
    private final GenerationService generations;
    private final ObjectMapper mapper;

    ChatResource(ModelDirectory models, GenerationService generations, ObjectMapper mapper) {
        this.models = models;
        this.generations = generations;
        this.mapper = mapper;
    }

    @POST
    @RunOnVirtualThread
    @Operation(summary = "Continues a conversation; a stream of events if stream is true")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = ChatCompletion.class)))
    public Response create(ChatRequest request) throws InterruptedException {
        if (request == null) {
            throw ApiException.invalid("the body is empty", null);
        }
        if (request.modalities() != null && !request.modalities().equals(List.of("text"))) {
            throw ApiException.invalid(
                    "modalities: only text is generated here, got " + request.modalities(), "modalities");
        }
        int logprobs = logprobs(request);
        GeneratingModel model = models.generating(request.model());
        OutputFormat format = OutputFormat.of(request);
        int[] prompt = Prompts.truncated(
                Conversation.tokens(model, request.messages(), format.tools(), request.chatTemplateKwargs(), mapper),
                request.truncatePromptTokens(),
                model.textTokens());
        int room = Math.max(1, model.textTokens() - prompt.length);
        GenerationStream stream = generations.begin(model, List.of(prompt), request.sampling(room), logprobs, format);
        Writing writing = new Writing(request, format, mapper);
        if (Boolean.TRUE.equals(request.stream())) {
            return ServerSentEvents.respond(mapper, stream, events -> writing.stream(stream, events));
        }
        return Response.ok(writing.whole(stream), MediaType.APPLICATION_JSON_TYPE)
                .build();
    }

    private static int logprobs(ChatRequest request) {
        int likeliest = request.topLogprobs() == null ? 0 : request.topLogprobs();
        if (likeliest < 0 || likeliest > MAX_LOGPROBS) {
            throw ApiException.invalid(
                    "top_logprobs: expected a value from 0 to " + MAX_LOGPROBS + ", got " + likeliest, "top_logprobs");
        }
        boolean isWanted = Boolean.TRUE.equals(request.logprobs());
        if (likeliest > 0 && !isWanted) {
            throw ApiException.invalid("top_logprobs: logprobs must be true as well", "top_logprobs");
        }
        return isWanted ? likeliest : -1;
    }

    /** Writes an answer in this API's form. */
    private static final class Writing {
        private final ChatRequest request;
        private final OutputFormat format;
        private final ObjectMapper mapper;
        private final String id = Ids.draw("chatcmpl-");
        private final long created = Instant.now().getEpochSecond();
        private final Map<Integer, Message> messages = new TreeMap<>();

        Writing(ChatRequest request, OutputFormat format, ObjectMapper mapper) {
            this.request = request;
            this.format = format;
            this.mapper = mapper;
        }

        /** A message that is being generated. */
        private final class Message {
            private final OutputFormat.MessageReader reader = format.reader(mapper);
            private final StringBuilder text = new StringBuilder();
            private final List<ToolCall> calls = new ArrayList<>();
            private final List<TokenText> tokens = new ArrayList<>();
            private String reason;

            ToolParser.Found take(TextDelta delta) {
                ToolParser.Found found = reader.take(delta);
                List<ToolCall> numbered = new ArrayList<>();
                for (ToolCall call : found.calls()) {
                    numbered.add(call.at(calls.size()));
                    calls.add(call);
                }
                text.append(found.text());
                tokens.addAll(delta.tokens());
                if (delta.finish() != null) {
                    reason = calls.isEmpty() ? FinishReason.of(delta.finish()) : "tool_calls";
                }
                return new ToolParser.Found(found.text(), numbered);
            }

            ChatCompletion.Choice choice(int index) {
                String content = text.isEmpty() && !calls.isEmpty() ? null : text.toString();
                return new ChatCompletion.Choice(
                        index, new ChatCompletion.Message("assistant", content, null, calls), logprobs(tokens), reason);
            }
        }

        private ChatCompletion.Logprobs logprobs(List<TokenText> tokens) {
            return Boolean.TRUE.equals(request.logprobs()) ? ChatLogprobs.of(tokens) : null;
        }

        ChatCompletion whole(GenerationStream stream) throws InterruptedException {
            while (stream.hasNext()) {
                TextDelta delta = stream.next();
                messages.computeIfAbsent(delta.choice(), choice -> new Message())
                        .take(delta);
            }
            List<ChatCompletion.Choice> choices = messages.entrySet().stream()
                    .map(message -> message.getValue().choice(message.getKey()))
                    .toList();
            return new ChatCompletion(id, "chat.completion", created, request.model(), choices, Usage.of(stream));
        }

        void stream(GenerationStream stream, ServerSentEvents events) throws IOException, InterruptedException {
            while (stream.hasNext()) {
                TextDelta textDelta = stream.next();
                if (!messages.containsKey(textDelta.choice())) {
                    messages.put(textDelta.choice(), new Message());
                    events.send(chunk(textDelta.choice(), new ChatCompletion.Delta("assistant", "", null), null, null));
                }
                Message message = messages.get(textDelta.choice());
                ToolParser.Found found = message.take(textDelta);
                boolean hasNews = !found.text().isEmpty()
                        || !found.calls().isEmpty()
                        || !textDelta.tokens().isEmpty();
                if (hasNews) {
                    ChatCompletion.Delta delta = new ChatCompletion.Delta(
                            null,
                            found.text().isEmpty() ? null : found.text(),
                            found.calls().isEmpty() ? null : found.calls());
                    events.send(chunk(textDelta.choice(), delta, logprobs(textDelta.tokens()), null));
                }
                if (textDelta.finish() != null) {
                    events.send(chunk(
                            textDelta.choice(), new ChatCompletion.Delta(null, null, null), null, message.reason));
                }
            }
            if (request.streamOptions() != null
                    && Boolean.TRUE.equals(request.streamOptions().includeUsage())) {
                events.send(new ChatCompletion.Chunk(
                        id, "chat.completion.chunk", created, request.model(), List.of(), Usage.of(stream)));
            }
            events.done();
        }

        private ChatCompletion.Chunk chunk(
                int choice, ChatCompletion.Delta delta, ChatCompletion.Logprobs logprobs, String reason) {
            return new ChatCompletion.Chunk(
                    id,
                    "chat.completion.chunk",
                    created,
                    request.model(),
                    List.of(new ChatCompletion.ChunkChoice(choice, delta, logprobs, reason)),
                    null);
        }
    }
}
