package dev.outpost.serving.engine;

import dev.outpost.inference.BatchEngine;
import dev.outpost.inference.BatchRequest;
import dev.outpost.inference.Finish;
import dev.outpost.inference.StepResult.TokenLogprobs;
import dev.outpost.inference.TokenSink;
import dev.outpost.models.IncrementalDetokenizer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;

/**
 * The texts that are being generated for one caller. The engine adds pieces, and the caller takes them at its own pace. A slow caller does
 * not delay others, and its queue is bounded by the tokens that it requested. Any thread may close the stream, which ends unfinished texts.
 */
public final class GenerationStream implements AutoCloseable {
    private final GeneratingModel model;
    private final TextRequest request;
    private final BlockingQueue<Object> pieces = new LinkedBlockingQueue<>();
    /** The piece that was taken from the queue and that {@code next} has not returned yet. */
    private Object first;

    private final List<BatchEngine.RequestHandle> handles = new ArrayList<>();
    private int open;
    private int promptTokens;
    private int cachedTokens;
    private int newTokens;

    private GenerationStream(GeneratingModel model, TextRequest request) {
        this.model = model;
        this.request = request;
        open = request.prompts().size() * request.choices();
    }

    /** Begins to generate the texts of a request. */
    public static GenerationStream begin(GeneratingModel model, TextRequest request) {
        GenerationStream stream = new GenerationStream(model, request);
        boolean isBegun = false;
        try {
            for (int prompt = 0; prompt < request.prompts().size(); prompt++) {
                stream.submit(prompt);
            }
            isBegun = true;
        } finally {
            if (!isBegun) {
                stream.close();
            }
        }
        return stream;
    }

    private void submit(int prompt) {
        List<BatchRequest> texts = IntStream.range(0, request.choices())
                .mapToObj(choice -> text(prompt, choice))
                .toList();
        handles.addAll(model.engine().submit(texts));
        promptTokens += request.prompts().get(prompt).length;
    }

    private BatchRequest text(int prompt, int choice) {
        return new BatchRequest(
                request.prompts().get(prompt),
                request.sampling().seed(request.sampling().seed() + choice),
                request.key(),
                request.priority(),
                request.deadlineNanos(),
                request.logprobs() >= 0,
                request.constraint(),
                model.adapter(),
                new Text(prompt * request.choices() + choice));
    }

    /** Decodes UTF-8. Returns null if the bytes begin or end within a character. */
    private static String text(byte[] utf8) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException ignored) {
            return null;
        }
    }

    /** Returns OpenAI's name for the bytes of a part of a character. */
    private static String escaped(byte[] bytes) {
        StringBuilder name = new StringBuilder("bytes:");
        for (byte one : bytes) {
            name.append(String.format("\\x%02x", one));
        }
        return name.toString();
    }

    /** A text of the stream. Only the engine's thread uses it. */
    private final class Text implements TokenSink {
        private final int choice;
        private final long begun = System.nanoTime();
        private final IncrementalDetokenizer assembler =
                new IncrementalDetokenizer(model.tokenizer(), request.stops(), request.minTokens());
        /** The tokens whose text may still be cut off by a stop text. */
        private final Deque<TokenText> held = new ArrayDeque<>();

        private int given;
        private int tokens;

        Text(int choice) {
            this.choice = choice;
        }

        @Override
        public boolean accept(int token, TokenLogprobs logprobs) {
            if (logprobs != null) {
                held.add(tokenText(token, assembler.length(), logprobs));
            }
            String text = assembler.add(token);
            List<TokenText> certain = certain(text.length(), false);
            if (!text.isEmpty() || !certain.isEmpty()) {
                pieces.add(new TextDelta(choice, text, certain, null));
            }
            tokens++;
            boolean isLast = request.stopTokens().contains(token) && tokens >= request.minTokens();
            return !assembler.isStopped() && !isLast;
        }

        /** Returns the held tokens that begin within the text that was sent, so that tokens and text stay in step. */
        private List<TokenText> certain(int more, boolean isLast) {
            given += more;
            List<TokenText> certain = new ArrayList<>();
            while (!held.isEmpty() && (held.getFirst().begin() < given || isLast && !assembler.isStopped())) {
                certain.add(held.removeFirst());
            }
            return certain;
        }

        private TokenText tokenText(int token, int begin, TokenLogprobs logprobs) {
            List<TokenText> likeliest = new ArrayList<>();
            for (int rank = 0; rank < Math.min(request.logprobs(), logprobs.tokens().length); rank++) {
                likeliest.add(named(logprobs.tokens()[rank], begin, logprobs.values()[rank], List.of()));
            }
            return named(token, begin, logprobs.chosen(), likeliest);
        }

        /** Makes the entry of a token. A SentencePiece tokenizer drops the leading blank of a token that it decodes alone. */
        private TokenText named(int token, int begin, double logprob, List<TokenText> others) {
            int[] alone = {token};
            byte[] bytes = model.model().tokenBytes(token);
            if (bytes == null) {
                String text = model.tokenizer().decode(alone);
                return new TokenText(
                        text,
                        model.tokenizer().decode(alone, false),
                        text.getBytes(StandardCharsets.UTF_8),
                        begin,
                        logprob,
                        others);
            }
            String whole = text(bytes);
            return whole == null
                    ? new TokenText(model.tokenizer().decode(alone), escaped(bytes), bytes, begin, logprob, others)
                    : new TokenText(whole, whole, bytes, begin, logprob, others);
        }

        @Override
        public void finished(Finish finish) {
            boolean isFirst = choice % request.choices() == 0;
            request.meter()
                    .used(
                            isFirst ? finish.promptTokens() : 0,
                            isFirst ? finish.cachedTokens() : 0,
                            finish.newTokens(),
                            Duration.ofNanos(System.nanoTime() - begun));
            String rest = assembler.end();
            pieces.add(new TextDelta(choice, rest, certain(rest.length(), true), finish));
        }

        @Override
        public void failed(RuntimeException failure) {
            pieces.add(failure);
        }
    }

    /** True if there are more pieces. */
    public boolean hasNext() {
        return open > 0;
    }

    /** Waits for the first piece. Throws the failure if the generation failed before the first piece. */
    public void awaitFirst() throws InterruptedException {
        first = pieces.take();
        if (first instanceof RuntimeException failure) {
            close();
            throw failure;
        }
    }

    private Object take() throws InterruptedException {
        Object taken = first == null ? pieces.take() : first;
        first = null;
        return taken;
    }

    /** Waits for the next piece of any text and returns it. A failure of one text ends all texts. */
    public TextDelta next() throws InterruptedException {
        switch (take()) {
            case TextDelta delta -> {
                if (delta.finish() != null) {
                    open--;
                    newTokens += delta.finish().newTokens();
                    cachedTokens += delta.choice() % request.choices() == 0
                            ? delta.finish().cachedTokens()
                            : 0;
                }
                return delta;
            }
            case RuntimeException failure -> {
                open = 0;
                close();
                throw failure;
            }
            case Object other -> throw new IllegalStateException("not a piece: " + other);
        }
    }

    /** Returns the number of tokens of all prompts, each counted once. */
    public int promptTokens() {
        return promptTokens;
    }

    /** Returns the number of tokens of prompts that were computed for an earlier text. Counts finished texts. */
    public int cachedTokens() {
        return cachedTokens;
    }

    /** Returns the number of new tokens of finished texts. */
    public int newTokens() {
        return newTokens;
    }

    @Override
    public void close() {
        List.copyOf(handles).forEach(BatchEngine.RequestHandle::cancel);
    }
}
