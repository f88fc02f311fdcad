package dev.outpost.models;

import dev.outpost.models.architecture.Decoder;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;

/** Checks prompts. */
public final class PromptChecks {
    private PromptChecks() {}

    public static void requireTokens(List<int[]> prompts, Decoder decoder) {
        if (prompts.isEmpty()) {
            throw new OutpostException(FaultKind.USER, "generate: at least one prompt is needed");
        }
        for (int[] prompt : prompts) {
            if (prompt.length == 0) {
                throw new OutpostException(FaultKind.USER, "generate: a prompt has no tokens");
            }
            for (int id : prompt) {
                if (id < 0 || id >= decoder.vocabulary()) {
                    throw new OutpostException(
                            FaultKind.USER,
                            "generate: expected tokens from 0 to " + (decoder.vocabulary() - 1) + ", got " + id);
                }
            }
        }
    }

    public static void requirePositions(long tokens, Decoder decoder) {
        if (tokens > decoder.mostPositions()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "generate: the model has " + decoder.mostPositions() + " positions, and prompt and new tokens need "
                            + tokens);
        }
    }
}
