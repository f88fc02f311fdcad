package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.outpost.serving.engine.Answer;
import dev.outpost.serving.engine.GeneratingModel;
import dev.outpost.serving.engine.Piece;
import dev.outpost.serving.engine.ServedModels;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/** The text part of the API of responses: a text or a conversation in, a text out. Nothing is stored. */
// A client that wants a stream accepts nothing but one, and only the body says what is wanted.
@Path("/v1/responses")
@Produces(MediaType.WILDCARD)
@Consumes(MediaType.APPLICATION_JSON)
public class ResponsesResource {
    private final ServedModels models;
    private final Answers answers;
    private final ObjectMapper mapper;

    ResponsesResource(ServedModels models, Answers answers, ObjectMapper mapper) {
        this.models = models;
        this.answers = answers;
        this.mapper = mapper;
    }

    /**
     * The request for an answer.
     *
     * @param input a text, or messages
     * @param instructions what stands before them
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    public record ResponseRequest(
            String model,
            JsonNode input,
            String instructions,
            Integer maxOutputTokens,
            Double temperature,
            Double topP,
            Boolean stream,
            Text text,
            Boolean store,
            Map<String, Object> metadata,
            String user) {}

    /** In which form. */
    public record Text(Format format) {}

    /** @param type {@code text}, {@code json_object} or {@code json_schema} */
    public record Format(String type, String name, String description, JsonNode schema, Boolean strict) {}

    @POST
    @RunOnVirtualThread
    @Operation(summary = "Answers a text or a conversation; a stream of events where stream is true")
    @APIResponse(
            responseCode = "200",
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON,
                            schema = @Schema(implementation = ResponseSchema.class)))
    public Response create(ResponseRequest request) throws InterruptedException {
        if (request == null) {
            throw ApiException.invalid("the body is empty", null);
        }
        GeneratingModel model = models.generating(request.model());
        int[] prompt = Conversation.tokens(model, messages(request), List.of(), Map.of(), mapper);
        int room = Math.max(1, model.textTokens() - prompt.length);
        SamplingFields fields = new SamplingFields(
                request.maxOutputTokens() == null ? room : request.maxOutputTokens(),
                request.temperature(),
                request.topP(),
                null,
                null,
                1,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        Answer answer =
                answers.begin(model, List.of(prompt), fields, -1, form(request).constraint(model));
        Writing writing = new Writing(request);
        if (Boolean.TRUE.equals(request.stream())) {
            return EventStream.respond(mapper, answer, events -> writing.stream(answer, events));
        }
        return Response.ok(writing.whole(answer), MediaType.APPLICATION_JSON_TYPE)
                .build();
    }

    private static AnswerForm form(ResponseRequest request) {
        Format format = request.text() == null ? null : request.text().format();
        boolean hasSchema = format != null && "json_schema".equals(format.type());
        if (hasSchema && format.schema() == null) {
            throw ApiException.invalid("text.format: a schema is missing", "text.format");
        }
        boolean isJson = format != null && ("json_object".equals(format.type()) || hasSchema);
        return new AnswerForm(List.of(), isJson, hasSchema ? format.schema() : null, false);
    }

    private static List<ChatRequest.Message> messages(ResponseRequest request) {
        List<ChatRequest.Message> messages = new ArrayList<>();
        if (request.instructions() != null) {
            messages.add(message("system", TextNode.valueOf(request.instructions())));
        }
        JsonNode input = request.input();
        if (input != null && input.isTextual()) {
            messages.add(message("user", input));
        } else if (input != null && input.isArray()) {
            input.forEach(one -> messages.add(message(one.path("role").asText(), one.path("content"))));
        } else {
            throw ApiException.invalid("input: expected a text or messages", "input");
        }
        return messages;
    }

    private static ChatRequest.Message message(String role, JsonNode content) {
        return new ChatRequest.Message(role, content, null, null, null, null);
    }

    /** An answer in this API's form. Events and answers are trees, since most of their members say what is not used. */
    private static final class Writing {
        private final ResponseRequest request;
        private final String id = Ids.draw("resp_");
        private final String messageId = Ids.draw("msg_");
        private final long created = Instant.now().getEpochSecond();
        private int number;

        Writing(ResponseRequest request) {
            this.request = request;
        }

        Map<String, Object> whole(Answer answer) throws InterruptedException {
            StringBuilder text = new StringBuilder();
            String reason = null;
            while (answer.hasNext()) {
                Piece piece = answer.next();
                text.append(piece.text());
                reason = FinishReason.of(piece.finish());
            }
            return response(status(reason), List.of(item(status(reason), text.toString())), Usage.of(answer));
        }

        private static String status(String reason) {
            return "length".equals(reason) ? "incomplete" : "completed";
        }

        void stream(Answer answer, EventStream events) throws IOException, InterruptedException {
            send(events, "response.created", Map.of("response", response("in_progress", List.of(), null)));
            send(events, "response.in_progress", Map.of("response", response("in_progress", List.of(), null)));
            Map<String, Object> begun = new LinkedHashMap<>(item("in_progress", ""));
            begun.put("content", List.of());
            send(events, "response.output_item.added", Map.of("output_index", 0, "item", begun));
            send(events, "response.content_part.added", place(Map.of("part", part(""))));
            StringBuilder text = new StringBuilder();
            String reason = null;
            while (answer.hasNext()) {
                Piece piece = answer.next();
                reason = FinishReason.of(piece.finish());
                if (!piece.text().isEmpty()) {
                    text.append(piece.text());
                    send(
                            events,
                            "response.output_text.delta",
                            place(Map.of("delta", piece.text(), "logprobs", List.of())));
                }
            }
            String whole = text.toString();
            send(events, "response.output_text.done", place(Map.of("text", whole, "logprobs", List.of())));
            send(events, "response.content_part.done", place(Map.of("part", part(whole))));
            Map<String, Object> item = item(status(reason), whole);
            send(events, "response.output_item.done", Map.of("output_index", 0, "item", item));
            String status = status(reason);
            send(events, "response." + status, Map.of("response", response(status, List.of(item), Usage.of(answer))));
        }

        private void send(EventStream events, String type, Map<String, Object> members) throws IOException {
            Map<String, Object> event = new LinkedHashMap<>();
            event.put("type", type);
            event.put("sequence_number", number++);
            event.putAll(members);
            events.send(type, event);
        }

        private Map<String, Object> place(Map<String, Object> members) {
            Map<String, Object> placed = new LinkedHashMap<>();
            placed.put("item_id", messageId);
            placed.put("output_index", 0);
            placed.put("content_index", 0);
            placed.putAll(members);
            return placed;
        }

        private static Map<String, Object> part(String text) {
            return Map.of("type", "output_text", "text", text, "annotations", List.of());
        }

        private Map<String, Object> item(String status, String text) {
            return Map.of(
                    "type",
                    "message",
                    "id",
                    messageId,
                    "role",
                    "assistant",
                    "status",
                    status,
                    "content",
                    List.of(part(text)));
        }

        private Map<String, Object> response(String status, List<Map<String, Object>> output, Usage usage) {
            Map<String, Object> response = new LinkedHashMap<>();
            response.put("id", id);
            response.put("object", "response");
            response.put("created_at", created);
            response.put("status", status);
            response.put("error", null);
            response.put(
                    "incomplete_details", status.equals("incomplete") ? Map.of("reason", "max_output_tokens") : null);
            response.put("instructions", request.instructions());
            response.put("metadata", request.metadata() == null ? Map.of() : request.metadata());
            response.put("model", request.model());
            response.put("output", output);
            response.put("parallel_tool_calls", true);
            response.put("temperature", request.temperature());
            response.put("tool_choice", "auto");
            response.put("tools", List.of());
            response.put("top_p", request.topP());
            response.put("usage", usage == null ? null : usage(usage));
            return response;
        }

        private static Map<String, Object> usage(Usage usage) {
            return Map.of(
                    "input_tokens",
                    usage.promptTokens(),
                    "input_tokens_details",
                    Map.of("cached_tokens", usage.promptTokensDetails().cachedTokens()),
                    "output_tokens",
                    usage.completionTokens(),
                    "output_tokens_details",
                    Map.of("reasoning_tokens", 0),
                    "total_tokens",
                    usage.totalTokens());
        }
    }
}
