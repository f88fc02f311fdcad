package dev.outpost.serving.openai;

import dev.outpost.inference.Finish;

/** Why a text ended, in OpenAI's words. */
final class FinishReason {
    private FinishReason() {}

    static String of(Finish finish) {
        return finish == null ? null : finish.reason() == Finish.Reason.LENGTH ? "length" : "stop";
    }
}
