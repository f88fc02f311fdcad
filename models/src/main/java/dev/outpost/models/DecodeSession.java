package dev.outpost.models;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Generation for a batch of texts: the rule by which tokens are chosen, and the program of a step. It can be used for one batch
 * after the other, and takes pages of the model's pool for each. One thread at a time.
 */
final class DecodeSession implements TokenSteps, AutoCloseable {
    /** Tokens of a prompt that are computed together. */
    private static final int CHUNK = 256;

    private final RemoteMachine machine;
    private final Decoder decoder;
    private final PagePool pool;
    private final Sampler sampler;
    private final long batch;
    /** Of a text, in the table. */
    private final int pages;

    private final Program step;
    /** Of a part of the prompts. As a program, since there the memory of the pool is always written in place. */
    private final Program chunk;

    private SplittableRandom random;
    private Tensor latest;
    private Tensor positions;
    private Tensor table;
    private final List<int[]> taken = new ArrayList<>();

    /** @param capacity how many tokens a text can have */
    DecodeSession(RemoteMachine machine, Decoder decoder, PagePool pool, Sampling rule, long batch, long capacity) {
        this.machine = machine;
        this.decoder = decoder;
        this.pool = pool;
        this.batch = batch;
        this.pages = PagePool.pagesOf(capacity);
        sampler = new Sampler(machine, rule, batch, decoder.vocabulary());
        step = machine.program(this::step);
        chunk = machine.program(this::chunk);
    }

    boolean fits(Sampling rule, long texts, long tokens) {
        return batch == texts
                && pages >= PagePool.pagesOf(tokens)
                && sampler.sampling().equals(rule);
    }

    /** A token of each text in, the next ones out. */
    private List<Tensor> step(List<Tensor> inputs) {
        return GradMode.noGrad(() -> {
            Tensor places = inputs.get(1);
            KeyValues past = pool.at(inputs.get(3), places.reshape(-1, 1));
            Tensor hidden = decoder.hidden(inputs.get(0).reshape(-1, 1), past);
            Tensor logits = decoder.logits(hidden.reshape(batch, -1));
            return List.of(sampler.next(logits, inputs.get(2)), places.add(1));
        });
    }

    /** Tokens of each text in, the hidden states in some rows out. */
    private List<Tensor> chunk(List<Tensor> inputs) {
        return GradMode.noGrad(() -> {
            KeyValues past = pool.at(inputs.get(3), inputs.get(1));
            Tensor hidden = decoder.hidden(inputs.get(0), past);
            return List.of(hidden.reshape(-1, hidden.size(-1)).indexSelect(0, inputs.get(2)));
        });
    }

    /**
     * Computes the prompts, and chooses the first token behind each. Does not wait.
     *
     * @param most how many tokens will be generated at most
     */
    @Override
    public CompletableFuture<HostTensor> begin(List<int[]> prompts, int most, long seed) {
        takePages(prompts, most);
        random = new SplittableRandom(seed);
        return machine.unscoped(() -> GradMode.noGrad(() -> {
            try (Tensor seen = seen(prompts)) {
                sampler.begin(seen);
            }
            try (Tensor hidden = prefill(prompts);
                    Tensor drawn = draw()) {
                latest = Scope.tidy(() -> sampler.next(decoder.logits(hidden), drawn));
            }
            positions =
                    machine.tensor(prompts.stream().mapToLong(ids -> ids.length).toArray(), batch);
            return latest.fetch();
        }));
    }

    /** The next token of each text. Does not wait. */
    @Override
    public CompletableFuture<HostTensor> next() {
        return machine.unscoped(() -> {
            List<Tensor> results;
            try (Tensor drawn = draw();
                    Tensor before = latest;
                    Tensor place = positions) {
                results = step.call(before, place, drawn, table);
            }
            latest = results.get(0);
            positions = results.get(1);
            return latest.fetch();
        });
    }

    /** Nothing more is generated for this batch. */
    @Override
    public void end() {
        for (Tensor held : new Tensor[] {latest, positions, table}) {
            if (held != null) {
                held.close();
            }
        }
        latest = null;
        positions = null;
        table = null;
        taken.forEach(pool::giveBack);
        taken.clear();
    }

    /** Each text has the pages that it can need. What is computed ahead of its end goes nowhere else. */
    private void takePages(List<int[]> prompts, int most) {
        long[] entries = new long[Math.toIntExact(batch * pages)];
        for (int text = 0; text < prompts.size(); text++) {
            int[] own = pool.take(PagePool.pagesOf(prompts.get(text).length + (long) most));
            taken.add(own);
            for (int place = 0; place < own.length; place++) {
                entries[text * pages + place] = own[place];
            }
        }
        table = machine.unscoped(() -> machine.tensor(entries, batch, pages));
    }

    private Tensor draw() {
        return Draws.of(machine, random, (int) batch);
    }

    /** Which tokens are in the prompts; null where nobody asks. */
    private Tensor seen(List<int[]> prompts) {
        if (!sampler.sampling().hasPenalties()) {
            return null;
        }
        int vocabulary = decoder.vocabulary();
        float[] seen = new float[Math.toIntExact(batch * vocabulary)];
        for (int text = 0; text < prompts.size(); text++) {
            for (int id : prompts.get(text)) {
                seen[text * vocabulary + id] = 1;
            }
        }
        return machine.tensor(seen, batch, vocabulary);
    }

    /**
     * The last hidden state of each prompt, {@code [batch, features]}. Shorter prompts are filled up behind; what that puts
     * into the cache lies behind their ends, where it is not seen before it is written over.
     */
    private Tensor prefill(List<int[]> prompts) {
        int longest = prompts.stream().mapToInt(ids -> ids.length).max().orElseThrow();
        Tensor last = null;
        for (int start = 0; start < longest; start += CHUNK) {
            int begin = start;
            int count = Math.min(CHUNK, longest - start);
            Tensor before = last;
            last = Scope.tidy(() -> chunk(prompts, begin, count, before));
            if (before != null) {
                before.close();
            }
        }
        return last;
    }

    private Tensor chunk(List<int[]> prompts, int start, int count, Tensor before) {
        long[] ids = new long[Math.toIntExact(batch * count)];
        long[] ends = new long[(int) batch];
        boolean[] isHere = new boolean[(int) batch];
        for (int text = 0; text < batch; text++) {
            int[] prompt = prompts.get(text);
            for (int place = 0; place < count && start + place < prompt.length; place++) {
                ids[text * count + place] = prompt[start + place];
            }
            ends[text] = Math.clamp(prompt.length - 1L - start, 0, count - 1);
            isHere[text] = prompt.length > start;
        }
        Tensor places = machine.arange(start, start + count, 1).reshape(1, -1).repeat(batch, 1);
        Tensor rows = machine.tensor(ends, batch).add(machine.arange(batch).mul(count));
        Tensor last = chunk.call(machine.tensor(ids, batch, count), places, rows, table)
                .getFirst();
        return before == null ? last : Tensors.where(machine.tensor(isHere, batch, 1), last, before);
    }

    @Override
    public void close() {
        end();
        step.close();
        chunk.close();
        sampler.close();
    }
}
