package dev.outpost.serving.openai;

import dev.outpost.serving.engine.TokenText;
import java.util.List;
import java.util.stream.IntStream;

/** Converts log probabilities to the form of chat completions. */
final class ChatLogprobs {
    private ChatLogprobs() {}

    static ChatCompletion.Logprobs of(List<TokenText> tokens) {
        return new ChatCompletion.Logprobs(
                tokens.stream()
                        .map(token -> one(
                                token,
                                token.likeliest().stream()
                                        .map(other -> one(other, null))
                                        .toList()))
                        .toList(),
                null);
    }

    private static ChatCompletion.TokenLogprob one(TokenText token, List<ChatCompletion.TokenLogprob> likeliest) {
        byte[] bytes = token.bytes();
        int[] numbers =
                IntStream.range(0, bytes.length).map(at -> bytes[at] & 0xFF).toArray();
        return new ChatCompletion.TokenLogprob(token.text(), token.logprob(), numbers, likeliest);
    }
}
