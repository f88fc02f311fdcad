package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.outpost.serving.engine.GeneratingModel;
import dev.outpost.serving.engine.GenerationStream;
import dev.outpost.serving.engine.ModelDirectory;
import dev.outpost.serving.engine.TextDelta;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;

/**
 * The text part of OpenAI's responses API: the input is a text or a conversation, and the output is a text or function calls. Nothing is
 * stored.
 */
// Produces any type: a client that wants a stream accepts only the type of streams, and only the body shows which
// answer it wants.
@Path("/v1/responses")
@Produces(MediaType.WILDCARD)
@Consumes(MediaType.APPLICATION_JSON)
public class ResponsesResource {
    private final ModelDirectory models;
    private final GenerationService generations;
    private final ObjectMapper mapper;

    ResponsesResource(ModelDirectory models, GenerationService generations, ObjectMapper mapper) {
        this.models = models;
        this.generations = generations;
        this.mapper = mapper;
    }

    /**
     * The request for an answer.
     *
     * @param input a text, or messages
     * @param instructions the text before the messages
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
            List<Tool> tools,
            JsonNode toolChoice,
            Boolean parallelToolCalls,
            String truncation,
            Map<String, Object> metadata) {}

    /** A function that the model may call. */
    public record Tool(String type, String name, String description, JsonNode parameters, Boolean strict) {}

    /** The form of the text. */
    public record Text(Format format) {}

    /** @param type {@code text}, {@code json_object} or {@code json_schema} */
    public record Format(String type, String name, String description, JsonNode schema, Boolean strict) {}

    @POST
    @RunOnVirtualThread
    @Operation(summary = "Answers a text or a conversation; a stream of events if stream is true")
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
        if (request.truncation() != null && !request.truncation().equals("disabled")) {
            throw ApiException.invalid(
                    "truncation: conversations are not shortened here; only disabled is known", "truncation");
        }
        GeneratingModel model = models.generating(request.model());
        OutputFormat format = form(request);
        int[] prompt = Conversation.tokens(model, messages(request), format.tools(), Map.of(), mapper);
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
                null,
                null,
                null,
                null);
        GenerationStream stream = generations.begin(model, List.of(prompt), fields, -1, format);
        Writing writing = new Writing(request, format.reader(mapper));
        if (Boolean.TRUE.equals(request.stream())) {
            return ServerSentEvents.respond(mapper, stream, events -> writing.stream(stream, events));
        }
        return Response.ok(writing.whole(stream), MediaType.APPLICATION_JSON_TYPE)
                .build();
    }

    private static OutputFormat form(ResponseRequest request) {
        Format format = request.text() == null ? null : request.text().format();
        if (format != null
                && "json_schema".equals(format.type())
                && (format.schema() == null || format.schema().isNull())) {
            throw ApiException.invalid("text.format: a schema is missing", "text.format");
        }
        List<ChatRequest.Tool> tools = request.tools() == null
                ? List.of()
                : request.tools().stream().map(ResponsesResource::tool).toList();
        return OutputFormat.of(
                tools,
                choice(request.toolChoice()),
                format == null
                        ? null
                        : new ChatRequest.ResponseFormat(
                                format.type(),
                                new ChatRequest.JsonSchema(format.name(), null, format.schema(), format.strict())),
                request.parallelToolCalls());
    }

    private static ChatRequest.Tool tool(Tool tool) {
        if (tool == null || !"function".equals(tool.type()) || tool.name() == null) {
            throw ApiException.invalid("tools: only functions with names are known", "tools");
        }
        return new ChatRequest.Tool(
                "function",
                new ChatRequest.Function(tool.name(), tool.description(), tool.parameters(), tool.strict()));
    }

    /** Converts a tool choice to the form of chat requests. */
    private static JsonNode choice(JsonNode said) {
        if (said == null || !said.isObject()) {
            return said;
        }
        ObjectNode choice = JsonNodeFactory.instance.objectNode();
        choice.set("type", said.path("type"));
        choice.putObject("function").put("name", said.path("name").asText());
        return choice;
    }

    static List<ChatRequest.Message> messages(ResponseRequest request) {
        List<ChatRequest.Message> messages = new ArrayList<>();
        if (request.instructions() != null) {
            messages.add(message("system", TextNode.valueOf(request.instructions())));
        }
        JsonNode input = request.input();
        if (input != null && input.isTextual()) {
            messages.add(message("user", input));
        } else if (input != null && input.isArray()) {
            input.forEach(one -> add(one, messages));
        } else {
            throw ApiException.invalid("input: expected a text or messages", "input");
        }
        return messages;
    }

    /**
     * Adds an item to the messages. Function calls and the text before them are separate items, but chat templates need them as one
     * message.
     */
    private static void add(JsonNode item, List<ChatRequest.Message> messages) {
        ChatRequest.Message message = item(item);
        ChatRequest.Message last = messages.isEmpty() ? null : messages.getLast();
        if (message.toolCalls() == null || last == null || !"assistant".equals(last.role())) {
            messages.add(message);
            return;
        }
        List<ToolCall> calls = new ArrayList<>(last.toolCalls() == null ? List.of() : last.toolCalls());
        calls.addAll(message.toolCalls());
        messages.set(
                messages.size() - 1, new ChatRequest.Message("assistant", last.content(), null, calls, null, null));
    }

    /** Converts an item: a message, a function call of the model, or the result of a call. */
    private static ChatRequest.Message item(JsonNode item) {
        return switch (item.path("type").asText("message")) {
            case "message" -> message(item.path("role").asText(), item.path("content"));
            case "function_call" ->
                new ChatRequest.Message(
                        "assistant",
                        null,
                        null,
                        List.of(new ToolCall(
                                null,
                                item.path("call_id").asText(),
                                "function",
                                new ToolCall.Function(
                                        item.path("name").textValue(),
                                        item.path("arguments").textValue()))),
                        null,
                        null);
            case "function_call_output" ->
                new ChatRequest.Message(
                        "tool",
                        item.get("output"),
                        null,
                        null,
                        item.path("call_id").asText(),
                        null);
            default ->
                throw ApiException.invalid(
                        "input: expected items of the types message, function_call and function_call_output, got "
                                + item.path("type"),
                        "input");
        };
    }

    private static ChatRequest.Message message(String role, JsonNode content) {
        return new ChatRequest.Message(role, content, null, null, null, null);
    }

    /** Writes an answer in this API's form. Events and answers are JSON trees, because most of their members are for unused features. */
    private static final class Writing {
        private final ResponseRequest request;
        private final OutputFormat.MessageReader reader;
        private final String id = Ids.draw("resp_");
        private final String messageId = Ids.draw("msg_");
        private final long created = Instant.now().getEpochSecond();
        private final List<Map<String, Object>> output = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private int number;

        Writing(ResponseRequest request, OutputFormat.MessageReader reader) {
            this.request = request;
            this.reader = reader;
        }

        Map<String, Object> whole(GenerationStream stream) throws InterruptedException {
            List<Map<String, Object>> calls = new ArrayList<>();
            String reason = null;
            while (stream.hasNext()) {
                TextDelta delta = stream.next();
                ToolParser.Found found = reader.take(delta);
                text.append(found.text());
                found.calls().forEach(call -> calls.add(call(call, "completed")));
                reason = FinishReason.of(delta.finish());
            }
            if (!text.isEmpty() || calls.isEmpty()) {
                output.add(item(status(reason), text.toString()));
            }
            output.addAll(calls);
            return response(status(reason), output, Usage.of(stream));
        }

        private static String status(String reason) {
            return "length".equals(reason) ? "incomplete" : "completed";
        }

        void stream(GenerationStream stream, ServerSentEvents events) throws IOException, InterruptedException {
            send(events, "response.created", Map.of("response", response("in_progress", List.of(), null)));
            send(events, "response.in_progress", Map.of("response", response("in_progress", List.of(), null)));
            String reason = null;
            boolean isInMessage = false;
            while (stream.hasNext()) {
                TextDelta delta = stream.next();
                ToolParser.Found found = reader.take(delta);
                reason = FinishReason.of(delta.finish());
                boolean isEmptyAnswer = !stream.hasNext() && found.calls().isEmpty() && output.isEmpty();
                if (!isInMessage && (!found.text().isEmpty() || isEmptyAnswer)) {
                    begin(events);
                    isInMessage = true;
                }
                if (!found.text().isEmpty()) {
                    text.append(found.text());
                    send(
                            events,
                            "response.output_text.delta",
                            place(Members.of("delta", found.text(), "logprobs", List.of())));
                }
                for (ToolCall call : found.calls()) {
                    if (isInMessage) {
                        end(events, reason);
                        isInMessage = false;
                    }
                    call(events, call);
                }
            }
            if (isInMessage) {
                end(events, reason);
            }
            String status = status(reason);
            send(events, "response." + status, Map.of("response", response(status, output, Usage.of(stream))));
        }

        private void begin(ServerSentEvents events) throws IOException {
            Map<String, Object> begun = new LinkedHashMap<>(item("in_progress", ""));
            begun.put("content", List.of());
            send(events, "response.output_item.added", Members.of("output_index", output.size(), "item", begun));
            send(events, "response.content_part.added", place(Map.of("part", part(""))));
        }

        private void end(ServerSentEvents events, String reason) throws IOException {
            String whole = text.toString();
            text.setLength(0);
            send(events, "response.output_text.done", place(Members.of("text", whole, "logprobs", List.of())));
            send(events, "response.content_part.done", place(Map.of("part", part(whole))));
            Map<String, Object> item = item(status(reason), whole);
            send(events, "response.output_item.done", Members.of("output_index", output.size(), "item", item));
            output.add(item);
        }

        private void call(ServerSentEvents events, ToolCall call) throws IOException {
            Map<String, Object> begun = new LinkedHashMap<>(call(call, "in_progress"));
            begun.put("arguments", "");
            Map<String, Object> whole = call(call, "completed");
            int index = output.size();
            Object itemId = whole.get("id");
            String arguments = call.function().arguments();
            send(events, "response.output_item.added", Members.of("output_index", index, "item", begun));
            send(
                    events,
                    "response.function_call_arguments.delta",
                    Members.of("item_id", itemId, "output_index", index, "delta", arguments));
            send(
                    events,
                    "response.function_call_arguments.done",
                    Members.of(
                            "item_id",
                            itemId,
                            "output_index",
                            index,
                            "name",
                            call.function().name(),
                            "arguments",
                            arguments));
            send(events, "response.output_item.done", Members.of("output_index", index, "item", whole));
            output.add(whole);
        }

        private static Map<String, Object> call(ToolCall call, String status) {
            return Members.of(
                    "type",
                    "function_call",
                    "id",
                    "fc_" + call.id(),
                    "call_id",
                    call.id(),
                    "name",
                    call.function().name(),
                    "arguments",
                    call.function().arguments(),
                    "status",
                    status);
        }

        private void send(ServerSentEvents events, String type, Map<String, Object> members) throws IOException {
            Map<String, Object> event = new LinkedHashMap<>();
            event.put("type", type);
            event.put("sequence_number", number++);
            event.putAll(members);
            events.send(type, event);
        }

        private Map<String, Object> place(Map<String, Object> members) {
            Map<String, Object> placed = new LinkedHashMap<>();
            placed.put("item_id", messageId);
            placed.put("output_index", output.size());
            placed.put("content_index", 0);
            placed.putAll(members);
            return placed;
        }

        private static Map<String, Object> part(String text) {
            return Members.of("type", "output_text", "text", text, "annotations", List.of());
        }

        private Map<String, Object> item(String status, String text) {
            return Members.of(
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
            response.put("parallel_tool_calls", !Boolean.FALSE.equals(request.parallelToolCalls()));
            response.put("temperature", request.temperature());
            boolean isChosen =
                    request.toolChoice() != null && !request.toolChoice().isNull();
            response.put("tool_choice", isChosen ? request.toolChoice() : "auto");
            response.put("tools", request.tools() == null ? List.of() : request.tools());
            response.put("top_p", request.topP());
            response.put("usage", usage == null ? null : usage(usage));
            return response;
        }

        private static Map<String, Object> usage(Usage usage) {
            return Members.of(
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
