package dev.outpost.models;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.architecture.Decoder;
import dev.outpost.models.architecture.KeyValues;
import dev.outpost.models.architecture.PagedKvCache;
import dev.outpost.models.constraint.TokenConstraint;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Generates a batch of texts that begin together with the same sampling rule. Holds the state of the rule and the
 * programs of its steps. It can generate several batches, one after the other, and takes blocks of the model's pool
 * for each batch. Not thread-safe.
 */
final class DecodeSession implements TokenSteps, AutoCloseable {
    /** The number of tokens of each prompt that are computed together. */
    private static final int CHUNK = 256;

    private final RemoteMachine machine;
    private final Decoder decoder;
    private final PagedKvCache pool;
    private final RowSampler sampler;
    /** The slot of each text, {@code [batch]}. */
    private final Tensor slots;

    private final long batch;
    /** The number of blocks of a text in the table. */
    private final int blocks;

    private final Map<RowSampler.Kind, Program> steps = new HashMap<>();
    /**
     * Computes a part of the prompts. This must be a program, because only programs always write to the pool in
     * place.
     */
    private final Program chunk;

    private BatchRule rule = new BatchRule(Sampling.greedy(), null);
    private Tensor latest;
    private Tensor positions;
    private Tensor table;
    private final List<int[]> taken = new ArrayList<>();

    /** @param capacity the maximum number of tokens of a text */
    DecodeSession(RemoteMachine machine, Decoder decoder, PagedKvCache pool, long batch, long capacity) {
        this.machine = machine;
        this.decoder = decoder;
        this.pool = pool;
        this.batch = batch;
        this.blocks = PagedKvCache.blocksOf(capacity);
        sampler = new RowSampler(machine, Math.toIntExact(batch), decoder.vocabulary());
        slots = machine.unscoped(() -> machine.arange(batch));
        chunk = machine.program(this::chunk);
    }

    boolean fits(long texts, long tokens) {
        return batch == texts && blocks >= PagedKvCache.blocksOf(tokens);
    }

    /** Computes a token of each text, and returns the next tokens. */
    private List<Tensor> step(RowSampler.Kind kind, List<Tensor> inputs) {
        return GradMode.noGrad(() -> {
            Tensor positions = inputs.get(1);
            KeyValues past = pool.at(inputs.get(2), positions.reshape(-1, 1));
            Tensor hidden = decoder.hidden(inputs.get(0).reshape(-1, 1), past);
            Tensor next = choose(kind, hidden.reshape(batch, -1), inputs.subList(3, inputs.size()));
            return List.of(next, positions.add(1));
        });
    }

    private Tensor choose(RowSampler.Kind kind, Tensor hidden, List<Tensor> rules) {
        return sampler.next(kind, decoder.logits(hidden).to(DType.FLOAT32), slots, rules);
    }

    /** Computes some tokens of each text, and returns the hidden states of some rows. */
    private List<Tensor> chunk(List<Tensor> inputs) {
        return GradMode.noGrad(() -> {
            KeyValues past = pool.at(inputs.get(3), inputs.get(1));
            Tensor hidden = decoder.hidden(inputs.get(0), past);
            return List.of(hidden.reshape(-1, hidden.size(-1)).indexSelect(0, inputs.get(2)));
        });
    }

    @Override
    public CompletableFuture<HostTensor> begin(
            List<int[]> prompts, Sampling sampling, @Nullable TokenConstraint constraint) {
        takeBlocks(prompts, sampling.maxTokens());
        rule = new BatchRule(sampling, constraint);
        for (int text = 0; text < prompts.size(); text++) {
            sampler.begin(text, rule.beginning(prompts.get(text)));
        }
        return machine.unscoped(() -> GradMode.noGrad(() -> {
            List<SamplingMetadata> choices = rule.next((int) batch);
            RowSampler.Kind kind = RowSampler.Kind.of(choices);
            try (Tensor hidden = prefill(prompts)) {
                latest = Scope.tidy(() -> choose(kind, hidden, sampler.inputs(kind, choices, (int) batch)));
            }
            positions =
                    machine.tensor(prompts.stream().mapToLong(ids -> ids.length).toArray(), batch);
            return latest.fetch();
        }));
    }

    @Override
    public CompletableFuture<HostTensor> next() {
        List<SamplingMetadata> choices = rule.next((int) batch);
        RowSampler.Kind kind = RowSampler.Kind.of(choices);
        Program step = steps.computeIfAbsent(kind, which -> machine.program(inputs -> step(which, inputs)));
        Tensor before = latest;
        Tensor place = positions;
        List<Tensor> results = machine.unscoped(() -> Scope.tidy(
                () -> {
                    List<Tensor> inputs = new ArrayList<>(List.of(before, place, table));
                    inputs.addAll(sampler.inputs(kind, choices, (int) batch));
                    return step.call(inputs.toArray(Tensor[]::new));
                },
                called -> called));
        before.close();
        place.close();
        latest = results.get(0);
        positions = results.get(1);
        return latest.fetch();
    }

    /** Ends the batch and releases its blocks. */
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
        taken.forEach(pool::release);
        taken.clear();
    }

    /**
     * Takes all blocks that each text can need. Steps that are computed after the end of a text write to these blocks
     * only.
     */
    private void takeBlocks(List<int[]> prompts, int max) {
        long[] entries = new long[Math.toIntExact(batch * blocks)];
        for (int text = 0; text < prompts.size(); text++) {
            int[] own = pool.take(PagedKvCache.blocksOf(prompts.get(text).length + (long) max));
            taken.add(own);
            for (int place = 0; place < own.length; place++) {
                entries[text * blocks + place] = own[place];
            }
        }
        table = machine.unscoped(() -> machine.tensor(entries, batch, blocks));
    }

    /**
     * Returns the last hidden state of each prompt, {@code [batch, features]}. Shorter prompts are padded at the end. The
     * padding's entries in the cache lie after the prompt, where they are overwritten before they are read.
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
        Tensor positions =
                machine.arange(start, start + count, 1).reshape(1, -1).repeat(batch, 1);
        Tensor rows = machine.tensor(ends, batch).add(machine.arange(batch).mul(count));
        Tensor last = chunk.call(machine.tensor(ids, batch, count), positions, rows, table)
                .getFirst();
        return before == null ? last : Tensors.where(machine.tensor(isHere, batch, 1), last, before);
    }

    @Override
    public void close() {
        end();
        steps.values().forEach(Program::close);
        slots.close();
        chunk.close();
        sampler.close();
    }
}
