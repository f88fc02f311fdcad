package dev.outpost.bench.serving;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Texts of random tokens, from half to one and a half times an average length. Not thread-safe. */
final class RandomTexts {
    private final SplittableRandom random = new SplittableRandom(3);

    /** Returns texts with prompts and new tokens of about these lengths. */
    List<OpenLoopLoad.Text> make(int count, int promptTokens, int newTokens) {
        return Stream.generate(() -> new OpenLoopLoad.Text(prompt(around(promptTokens)), around(newTokens)))
                .limit(count)
                .toList();
    }

    private int around(int middle) {
        return middle - middle / 2 + random.nextInt(2 * (middle / 2) + 1);
    }

    private int[] prompt(int length) {
        return random.ints(length, 1, RandomModel.vocabulary()).toArray();
    }

    /** Returns texts of the same lengths with other prompts, so that the cache has nothing of them. */
    List<OpenLoopLoad.Text> otherPrompts(List<OpenLoopLoad.Text> texts) {
        return texts.stream()
                .map(text -> new OpenLoopLoad.Text(prompt(text.prompt().length), text.tokens()))
                .toList();
    }

    /** Returns texts of the average lengths: they begin and end together, and each step is full. */
    List<OpenLoopLoad.Text> ofAverageLength(List<OpenLoopLoad.Text> texts, int count) {
        double prompt =
                texts.stream().mapToInt(text -> text.prompt().length).average().orElseThrow();
        double tokens =
                texts.stream().mapToInt(OpenLoopLoad.Text::tokens).average().orElseThrow();
        return IntStream.range(0, count)
                .mapToObj(text -> new OpenLoopLoad.Text(prompt((int) Math.round(prompt)), (int) Math.round(tokens)))
                .toList();
    }
}
