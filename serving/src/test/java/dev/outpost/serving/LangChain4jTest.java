package dev.outpost.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
        assertEquals(whole, streamed.get(30, TimeUnit.SECONDS));
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
}
