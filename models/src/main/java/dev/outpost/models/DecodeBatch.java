package dev.outpost.models;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Texts that are generated together and may begin and end at every step (continuous batching; Yu et al., 2022). Each has its own
 * rule, seed, limit and constraint. Keys and values are in pages of the model's pool: a text that begins as an earlier one did has
 * its pages, and what a text leaves behind is found by later ones until the pages are needed.
 *
 * <pre>{@code
 * try (DecodeBatch batch = model.batch(32, 2048, 0)) {
 *     DecodeBatch.Text text = batch.join(prompt, sampling);
 *     Deque<DecodeBatch.Step> ahead = new ArrayDeque<>();
 *     while (batch.isBusy()) {
 *         while (ahead.size() < 4) {
 *             ahead.add(batch.step());
 *         }
 *         for (DecodeBatch.Token token : ahead.remove().await()) {
 *             answer(token.text(), token.id());
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>Nothing here waits but {@link Step#await}. A step computes a part of the prompt of one text that waits, then a token of each text
 * whose prompt is computed. Steps may be enqueued before earlier ones are read; a token of a text that had ended by then is dropped.
 * One thread at a time.
 */
public final class DecodeBatch implements AutoCloseable {
    /** Lengths to which parts of prompts are filled up, so that they share programs. */
    private static final int[] CHUNKS = {16, 64, 256};

    private final RemoteMachine machine;
    private final Decoder decoder;
    private final PagePool pool;
    private final Set<Integer> ends;
    private final int rows;
    private final long capacity;
    /** Of a text, in the table. */
    private final int pages;

    private final int topLogProbs;
    private final RowSampler sampler;
    private final Program chunk;
    private final Map<RowSampler.Features, Program> steps = new HashMap<>();
    private final Constraints constraints;

    private final Text[] texts;
    /** Those whose prompts are not computed yet. */
    private final Deque<Text> waiting = new ArrayDeque<>();

    private final Tensor table;
    private Tensor latest;
    private Tensor positions;
    private Tensor states;
    private boolean isClosed;

    /**
     * A batch.
     *
     * @param capacity how many tokens a text can have
     * @param topLogProbs how many of the best tokens are told with each; −1 for no probabilities at all
     */
    DecodeBatch(
            RemoteMachine machine,
            Decoder decoder,
            PagePool pool,
            Set<Integer> ends,
            int rows,
            long capacity,
            int topLogProbs) {
        this.machine = machine;
        this.decoder = decoder;
        this.pool = pool;
        this.ends = ends;
        this.rows = rows;
        this.capacity = capacity;
        this.pages = PagePool.pagesOf(capacity);
        this.topLogProbs = topLogProbs;
        texts = new Text[rows];
        sampler = new RowSampler(machine, rows, decoder.vocabulary());
        constraints = new Constraints(machine, decoder.vocabulary());
        chunk = machine.program(this::chunk);
        table = machine.unscoped(() -> machine.zeros(DType.INT64, rows, pages));
        latest = machine.unscoped(() -> machine.zeros(DType.INT64, rows));
        positions = machine.unscoped(() -> machine.zeros(DType.INT64, rows));
        states = machine.unscoped(() -> machine.zeros(DType.INT64, rows));
    }

    /** A text in the batch. */
    public final class Text {
        private final int row;
        private final int[] prompt;
        private final Sampling sampling;
        private final @Nullable TokenConstraint constraint;
        private final SplittableRandom random;
        private final List<Integer> tokens = new ArrayList<>();
        private int[] own;
        private int computed;
        private int shared;
        private int started;
        private boolean isOver;

        private Text(int row, int[] prompt, Sampling sampling, @Nullable TokenConstraint constraint, int[] own) {
            this.row = row;
            this.prompt = prompt;
            this.sampling = sampling;
            this.constraint = constraint;
            this.own = own;
            this.random = new SplittableRandom(sampling.seed());
        }

        /** What was generated and read so far; what ends the text is the last of it. */
        public List<Integer> tokens() {
            return List.copyOf(tokens);
        }

        /** Whether nothing more comes. */
        public boolean isOver() {
            return isOver;
        }

        /** How many tokens of the prompt were found in pages of earlier texts; 0 before its turn comes. */
        public int sharedTokens() {
            return shared;
        }

        /** Ends it, wherever it is; its pages are free. */
        public void leave() {
            if (!isOver) {
                isOver = true;
                texts[row] = null;
                waiting.remove(this);
                rememberPages();
                pool.giveBack(own);
                clearRow(row);
            }
        }

        /** Pages of which each token was an input of a step that was enqueued. */
        private void rememberPages() {
            int known = computed < prompt.length - 1 ? computed : prompt.length + Math.max(0, tokens.size() - 1);
            int[] all = Arrays.copyOf(prompt, prompt.length + tokens.size());
            for (int place = 0; place < tokens.size(); place++) {
                all[prompt.length + place] = tokens.get(place);
            }
            int full = Math.min(known / PagePool.PAGE, own.length);
            pool.remember(PagePool.keysOf(all, full), own);
        }
    }

    /**
     * A token that was generated.
     *
     * @param logProb its logarithmic probability by the model, before the text's rule; NaN where the batch tells none
     * @param top the same of the best tokens, best first
     */
    public record Token(Text text, int id, double logProb, List<LogProb> top) {}

    /** The logarithmic probability of a token. */
    public record LogProb(int id, double logProb) {}

    /** How many texts could begin. */
    public int freeRows() {
        int free = 0;
        for (Text text : texts) {
            free += text == null ? 1 : 0;
        }
        return free;
    }

    /** Whether any text is in the batch. */
    public boolean isBusy() {
        return freeRows() < rows;
    }

    /** Whether a text could join now: there is a row, and there are pages for it. */
    public boolean hasRoom(int promptTokens, int maxTokens) {
        return freeRows() > 0 && pool.free() >= PagePool.pagesOf((long) promptTokens + maxTokens);
    }

    /** A text begins. */
    public Text join(int[] prompt, Sampling sampling) {
        return join(prompt, sampling, null);
    }

    /**
     * A text begins. Those that are to differ by their seeds only share the pages of their prompt.
     *
     * @param constraint what its tokens must match, or null
     * @throws OutpostException of kind resources where there is no row or there are too few pages
     */
    public Text join(int[] prompt, Sampling sampling, @Nullable TokenConstraint constraint) {
        requireOpen();
        requireFits(prompt, sampling);
        int row = 0;
        while (row < rows && texts[row] != null) {
            row++;
        }
        if (row == rows) {
            throw new OutpostException(FaultKind.RESOURCES, "join: all " + rows + " rows of the batch are taken");
        }
        int[] own = pool.take(PagePool.pagesOf((long) prompt.length + sampling.maxTokens()));
        boolean isIn = false;
        Text text = new Text(row, prompt.clone(), sampling, constraint, own);
        try {
            if (constraint != null) {
                constraints.add(constraint);
            }
            isIn = true;
        } finally {
            if (!isIn) {
                pool.giveBack(own);
            }
        }
        texts[row] = text;
        waiting.add(text);
        return text;
    }

    private void requireFits(int[] prompt, Sampling sampling) {
        long tokens = (long) prompt.length + sampling.maxTokens();
        if (prompt.length == 0) {
            throw new OutpostException(FaultKind.USER, "join: a prompt has no tokens");
        }
        if (tokens > capacity) {
            throw new OutpostException(
                    FaultKind.USER,
                    "join: texts of the batch have at most " + capacity + " tokens, and prompt and new tokens want "
                            + tokens);
        }
        for (int id : prompt) {
            if (id < 0 || id >= decoder.vocabulary()) {
                throw new OutpostException(
                        FaultKind.USER,
                        "join: expected tokens from 0 to " + (decoder.vocabulary() - 1) + ", got " + id);
            }
        }
    }

    private void requireOpen() {
        if (isClosed) {
            throw new OutpostException(FaultKind.USER, "join: the batch is closed");
        }
    }

    // ---- rows

    private Tensor pagesOf(Text text) {
        long[] entries = new long[pages];
        for (int place = 0; place < text.own.length; place++) {
            entries[place] = text.own[place];
        }
        return machine.tensor(entries, 1, pages);
    }

    private void setRow(Text text) {
        machine.unscoped(() -> GradMode.noGrad(() -> {
            try (Tensor row = machine.tensor(new long[] {text.row}, 1);
                    Tensor pagesOfText = pagesOf(text);
                    Tensor last = machine.tensor(new long[] {text.prompt[text.prompt.length - 1]}, 1);
                    Tensor place = machine.tensor(new long[] {text.prompt.length - 1L}, 1);
                    Tensor state = machine.tensor(new long[] {constraints.start(text.constraint)}, 1)) {
                table.indexCopy_(0, row, pagesOfText);
                latest.indexCopy_(0, row, last);
                positions.indexCopy_(0, row, place);
                states.indexCopy_(0, row, state);
                Scope.tidy(() -> {
                    sampler.begin(row, text.prompt, text.sampling);
                    return row;
                });
            }
            return null;
        }));
    }

    /** What is computed for a row without a text goes to the page that is nobody's. */
    private void clearRow(int which) {
        if (isClosed) {
            return;
        }
        machine.unscoped(() -> GradMode.noGrad(() -> {
            try (Tensor row = machine.tensor(new long[] {which}, 1);
                    Tensor none = machine.zeros(DType.INT64, 1, pages);
                    Tensor zero = machine.zeros(DType.INT64, 1)) {
                table.indexCopy_(0, row, none);
                positions.indexCopy_(0, row, zero);
                states.indexCopy_(0, row, zero);
            }
            return null;
        }));
    }

    // ---- prompts

    private List<Tensor> chunk(List<Tensor> inputs) {
        return GradMode.noGrad(() -> {
            Tensor places = inputs.get(1);
            decoder.hidden(inputs.get(0), pool.at(inputs.get(2), places));
            return List.of(places.add(1));
        });
    }

    /** Computes a part of the first prompt that waits. Its last token is computed by the text's first step. */
    private void computePart() {
        Text text = waiting.getFirst();
        int wanted = text.prompt.length - 1;
        if (text.computed == 0) {
            findBeginning(text, wanted / PagePool.PAGE);
        }
        if (text.computed < wanted) {
            int count = Math.min(CHUNKS[CHUNKS.length - 1], wanted - text.computed);
            computeTokens(text, text.computed, count);
            text.computed += count;
            int full = text.computed / PagePool.PAGE;
            pool.remember(PagePool.keysOf(text.prompt, full), text.own);
        }
        if (text.computed >= wanted) {
            waiting.removeFirst();
            setRow(text);
            text.computed = text.prompt.length;
        }
    }

    private void findBeginning(Text text, int fullPages) {
        int[] found = pool.takeRemembered(PagePool.keysOf(text.prompt, fullPages));
        pool.giveBack(Arrays.copyOf(text.own, found.length));
        System.arraycopy(found, 0, text.own, 0, found.length);
        text.shared = found.length * PagePool.PAGE;
        text.computed = text.shared;
    }

    private void computeTokens(Text text, int from, int count) {
        int length =
                Arrays.stream(CHUNKS).filter(size -> size >= count).findFirst().orElseThrow();
        long[] ids = new long[length];
        long[] places = new long[length];
        // It is filled up by its last token again, which writes what is there anyway.
        for (int place = 0; place < length; place++) {
            int which = from + Math.min(place, count - 1);
            ids[place] = text.prompt[which];
            places[place] = which;
        }
        machine.unscoped(() -> {
            try (Tensor tokens = machine.tensor(ids, 1, length);
                    Tensor positionsOfThem = machine.tensor(places, 1, length);
                    Tensor pagesOfText = pagesOf(text)) {
                chunk.call(tokens, positionsOfThem, pagesOfText).forEach(Tensor::close);
            }
            return null;
        });
    }

    // ---- steps

    private List<Tensor> step(RowSampler.Features features, List<Tensor> inputs) {
        return GradMode.noGrad(() -> {
            Tensor places = inputs.get(1);
            KeyValues past = pool.at(table, places.reshape(-1, 1));
            Tensor hidden = decoder.hidden(inputs.get(0).reshape(-1, 1), past);
            Tensor scores = decoder.logits(hidden.reshape(rows, -1)).to(DType.FLOAT32);
            Tensor state = inputs.get(3);
            Tensor allowed = features.isConstrained() ? Constraints.allowed(inputs.get(4), state) : null;
            Tensor held = allowed == null ? scores : scores.maskedFill(allowed.lt(0), Double.NEGATIVE_INFINITY);
            Tensor chosen = sampler.next(features, held, inputs.get(2));
            List<Tensor> results = new ArrayList<>();
            results.add(chosen);
            // Behind its end a text writes into its own last page, or into the one that is nobody's.
            results.add(places.add(1).clampMax(capacity - 1));
            results.add(allowed == null ? state.add(0) : Constraints.next(allowed, chosen));
            if (topLogProbs >= 0) {
                Tensor logs = scores.logSoftmax(-1);
                results.add(logs.gather(1, chosen.unsqueeze(-1)).squeeze(-1));
                if (topLogProbs > 0) {
                    ValuesAndIndices best = logs.topk(topLogProbs, -1, true, true);
                    results.add(best.values());
                    results.add(best.indices());
                }
            }
            return results;
        });
    }

    /** Enqueues a step: a part of a prompt where one waits, and a token of each text that goes on. Does not wait. */
    public Step step() {
        requireOpen();
        boolean isAnyReady = Arrays.stream(texts).anyMatch(text -> text != null && isReady(text));
        do {
            if (!waiting.isEmpty()) {
                computePart();
            }
        } while (!isAnyReady && !waiting.isEmpty() && Arrays.stream(texts).noneMatch(t -> t != null && isReady(t)));
        List<Text> now = new ArrayList<>();
        RowSampler.Features features = RowSampler.Features.NONE;
        float[] drawn = new float[rows];
        for (Text text : texts) {
            if (text != null && isReady(text) && text.started < text.sampling.maxTokens()) {
                now.add(text);
                text.started++;
                features = features.with(text.sampling, text.constraint != null);
                drawn[text.row] = Draws.one(text.random);
            }
        }
        return now.isEmpty() ? new Step(now, List.of()) : enqueue(features, now, drawn);
    }

    private boolean isReady(Text text) {
        return text.computed == text.prompt.length;
    }

    private Step enqueue(RowSampler.Features features, List<Text> now, float[] drawn) {
        Program program = steps.computeIfAbsent(features, which -> machine.program(inputs -> step(which, inputs)));
        return machine.unscoped(() -> {
            List<Tensor> results;
            try (Tensor draws = machine.tensor(drawn, rows);
                    Tensor before = latest;
                    Tensor places = positions;
                    Tensor state = states) {
                results = features.isConstrained()
                        ? program.call(before, places, draws, state, constraints.table())
                        : program.call(before, places, draws, state);
            }
            latest = results.get(0);
            positions = results.get(1);
            states = results.get(2);
            List<CompletableFuture<HostTensor>> read = new ArrayList<>(List.of(latest.fetch()));
            for (Tensor told : results.subList(3, results.size())) {
                read.add(told.fetch());
                told.close();
            }
            return new Step(now, read);
        });
    }

    /** A step that is under way. */
    public final class Step {
        private final List<Text> of;
        private final List<CompletableFuture<HostTensor>> read;

        private Step(List<Text> of, List<CompletableFuture<HostTensor>> read) {
            this.of = of;
            this.read = read;
        }

        CompletableFuture<HostTensor> ids() {
            return read.getFirst();
        }

        /** Whether {@link #await} would not wait. */
        public boolean isDone() {
            return read.stream().allMatch(CompletableFuture::isDone);
        }

        /** The tokens of the texts that had not ended before. Waits. A text that ends with its token leaves the batch. */
        public List<Token> await() {
            if (of.isEmpty()) {
                return List.of();
            }
            List<HostTensor> values = read.stream().map(Step::join).toList();
            long[] ids = values.getFirst().toLongArray();
            List<Token> tokens = new ArrayList<>();
            for (Text text : of) {
                if (!text.isOver) {
                    tokens.add(token(text, (int) ids[text.row], values));
                }
            }
            return tokens;
        }

        private static HostTensor join(CompletableFuture<HostTensor> future) {
            try {
                return future.join();
            } catch (CompletionException failed) {
                throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
            }
        }

        private Token token(Text text, int id, List<HostTensor> values) {
            text.tokens.add(id);
            boolean isEnd = ends.contains(id) && !text.sampling.ignoresEnd();
            if (isEnd || text.tokens.size() == text.sampling.maxTokens()) {
                text.leave();
            }
            double logProb = topLogProbs < 0 ? Double.NaN : values.get(1).toFloatArray()[text.row];
            List<LogProb> top = new ArrayList<>();
            if (topLogProbs > 0) {
                float[] logs = values.get(2).toFloatArray();
                long[] best = values.get(3).toLongArray();
                for (int place = text.row * topLogProbs; place < (text.row + 1) * topLogProbs; place++) {
                    top.add(new LogProb((int) best[place], logs[place]));
                }
            }
            return new Token(text, id, logProb, top);
        }
    }

    /** Ends all texts. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            for (Text text : texts) {
                if (text != null) {
                    text.leave();
                }
            }
            steps.values().forEach(Program::close);
            chunk.close();
            sampler.close();
            constraints.close();
            List.of(table, latest, positions, states).forEach(Tensor::close);
        }
    }
}
