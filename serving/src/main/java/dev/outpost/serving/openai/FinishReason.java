package dev.outpost.serving.openai;

import dev.outpost.inference.Finish;

/** The reasons of the end of a text, in OpenAI's words. */
final class FinishReason {
    private FinishReason() {}

    static String of(Finish finish) {
        return finish == null ? null : finish.reason() == Finish.Reason.LENGTH ? "length" : "stop";
    }
}
