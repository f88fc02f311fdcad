package dev.outpost.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.outpost.support.tests.Await;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** LangChain4j works with the server as with OpenAI's. */
class LangChain4jTest {
    @Test
    void answersAndStreamsAreTheSame() throws Exception {
        String whole = OpenAiChatModel.builder()
                .baseUrl(ServingProcess.shared().api())
                .apiKey("none")
                .modelName("text")
                .temperature(0.0)
                .maxTokens(10)
                .build()
                .chat("Who are you?");
        CompletableFuture<String> streamed = new CompletableFuture<>();
        StringBuilder pieces = new StringBuilder();
        OpenAiStreamingChatModel.builder()
                .baseUrl(ServingProcess.shared().api())
                .apiKey("none")
                .modelName("text")
                .temperature(0.0)
                .maxTokens(10)
                .build()
                .chat("Who are you?", new StreamingChatResponseHandler() {
                    @Override
                    public void onPartialResponse(String piece) {
                        pieces.append(piece);
                    }

                    @Override
                    public void onCompleteResponse(ChatResponse response) {
                        streamed.complete(response.aiMessage().text());
                    }

                    @Override
                    public void onError(Throwable failure) {
                        streamed.completeExceptionally(failure);
                    }
                });
        assertEquals(whole, Await.result("the answer is streamed", streamed));
        assertEquals(whole, pieces.toString());
    }

    @Test
    void textsBecomeVectors() {
        float[] vector = OpenAiEmbeddingModel.builder()
                .baseUrl(ServingProcess.shared().api())
                .apiKey("none")
                .modelName("embedder")
                .build()
                .embed("The machine reads")
                .content()
                .vector();
        assertTrue(vector.length > 0);
    }

    private static OpenAiChatModel.OpenAiChatModelBuilder chat() {
        return OpenAiChatModel.builder()
                .baseUrl(ServingProcess.shared().api())
                .apiKey("none")
                .modelName("text")
                .temperature(0.0)
                .maxTokens(120);
    }

    private static JsonObjectSchema city() {
        return JsonObjectSchema.builder()
                .addEnumProperty("city", List.of("Bern", "Rome"))
                .required("city")
                .build();
    }

    @Test
    void functionThatMustBeCalledIsCalled() throws Exception {
        AiMessage said = chat().build()
                .chat(ChatRequest.builder()
                        .messages(UserMessage.from("Is it warm?"))
                        .toolSpecifications(ToolSpecification.builder()
                                .name("weather")
                                .parameters(city())
                                .build())
                        .toolChoice(ToolChoice.REQUIRED)
                        .build())
                .aiMessage();
        assertEquals(1, said.toolExecutionRequests().size());
        assertEquals("weather", said.toolExecutionRequests().getFirst().name());
        requireCity(said.toolExecutionRequests().getFirst().arguments());
    }

    @Test
    void answerIsJsonOfTheSchema() throws Exception {
        requireCity(chat().build()
                .chat(ChatRequest.builder()
                        .messages(UserMessage.from("Where?"))
                        .responseFormat(ResponseFormat.builder()
                                .type(ResponseFormatType.JSON)
                                .jsonSchema(JsonSchema.builder()
                                        .name("place")
                                        .rootElement(city())
                                        .build())
                                .build())
                        .build())
                .aiMessage()
                .text());
    }

    private static void requireCity(String json) throws Exception {
        String city = new ObjectMapper().readTree(json).path("city").asText();
        assertTrue(List.of("Bern", "Rome").contains(city), json);
    }
}
