package dev.outpost.inference;

import dev.outpost.HostTensor;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.CausalLM;
import dev.outpost.models.RowAdapters;
import dev.outpost.models.RowSampler;
import dev.outpost.models.SamplingMetadata;
import dev.outpost.models.architecture.Decoder;
import dev.outpost.models.architecture.KeyValues;
import dev.outpost.models.architecture.PagedKvCache;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Computes steps of a causal model. Keys and values are in the blocks of a pool. Each step names the blocks of each text. The tokens of a
 * step are the rows of one batch. Each row first writes its keys and values and then attends to the blocks of its text, so a step can mix
 * parts of prompts with single tokens of other texts.
 *
 * <p>Chosen tokens stay on the machine, so a step can be enqueued before the previous one was read. Steps are
 * computed in the order in which they were enqueued, so blocks that one text releases can be assigned to another text
 * at once. Not thread-safe.
 */
public final class ModelRunner implements AutoCloseable {
    /** The sizes to which the rows of a step are padded. Each size is a separate program. */
    private static final int[] SIZES = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024
    };

    /** The factor of padded numbers of blocks: the number of blocks of a text is padded to this factor times a power of four. */
    private static final int MIN_BLOCKS = 8;

    private final CausalLM model;
    private final RemoteMachine machine;
    private final Decoder decoder;
    private final PagedKvCache pool;
    private final int blocks;
    private final int slots;
    private final int tokens;
    /** The token that was chosen last for each slot. Slot 0 belongs to no text. */
    private final Tensor latest;

    private final @Nullable RowAdapters adapters;
    private final RowSampler sampler;
    private final Map<RowSampler.Kind, Program> programs = new HashMap<>();

    /**
     * Makes a runner with its own pool.
     *
     * @param tokens the maximum number of tokens of all texts together; their memory is allocated at once
     * @param numSeqs the maximum number of texts that are computed at a time
     * @param textTokens the maximum number of tokens of a text; if the model scales positions by the length of the
     *     text, it uses this length
     */
    public ModelRunner(CausalLM model, long tokens, int numSeqs, int textTokens) {
        this(model, tokens, numSeqs, textTokens, null);
    }

    /**
     * Makes a runner whose texts can each use an adapter.
     *
     * @param adapters the adapters of the model's layers; closed with the runner
     */
    public ModelRunner(CausalLM model, long tokens, int numSeqs, int textTokens, @Nullable RowAdapters adapters) {
        this.model = model;
        this.adapters = adapters;
        machine = model.machine();
        decoder = model.module();
        if (textTokens > decoder.mostPositions()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "the model has " + decoder.mostPositions() + " positions, and texts of " + textTokens
                            + " tokens are asked for");
        }
        this.tokens = textTokens;
        blocks = PagedKvCache.blocksOf(tokens);
        slots = numSeqs + 1;
        decoder.prepare(machine, textTokens, decoder.isLong(textTokens));
        pool = new PagedKvCache(machine, model.dtype(), decoder.cacheShapes(), blocks);
        latest = machine.unscoped(() -> machine.zeros(DType.INT64, slots));
        sampler = new RowSampler(machine, slots, decoder.vocabulary());
    }

    /** Returns the number of tokens in a block. */
    public static int blockSize() {
        return PagedKvCache.BLOCK_SIZE;
    }

    /** Returns the number of blocks, which are numbered from 1. */
    public int blocks() {
        return blocks;
    }

    /** Returns the maximum number of texts that are computed at a time. Their slots are numbered from 1. */
    public int texts() {
        return slots - 1;
    }

    /** Returns the maximum number of tokens of a text. */
    public int textTokens() {
        return tokens;
    }

    /** Returns the number of adapters. */
    public int adapters() {
        return adapters == null ? 0 : adapters.count();
    }

    public int vocabulary() {
        return decoder.vocabulary();
    }

    public CausalLM model() {
        return model;
    }

    /** Enqueues a step. Does not wait. */
    public CompletableFuture<StepResult> run(ModelStep step) {
        List<SamplingMetadata> choices = step.choices();
        RowSampler.Kind kind = RowSampler.Kind.of(choices);
        step.beginnings().forEach(sampler::begin);
        // The padded batch has a row that belongs to no text; padded choices refer to it.
        int chosen = sizeFor(Math.max(1, choices.size()));
        int rows = sizeFor(Math.max(step.rows() + (chosen > choices.size() ? 1 : 0), chosen));
        int width = Math.min(widthFor(step.maxBlocks()), PagedKvCache.blocksOf(tokens));
        Tensor enqueued = machine.unscoped(() -> Scope.tidy(() -> {
            List<Tensor> inputs = new ArrayList<>();
            inputs.add(machine.tensor(step.filledRows(rows), 3, rows));
            inputs.add(machine.tensor(step.table(slots, width), slots, width));
            inputs.add(machine.tensor(step.filledChoices(chosen, rows - 1), chosen));
            if (adapters != null) {
                inputs.add(machine.tensor(step.adaptersOfSlots(slots), slots));
            }
            inputs.addAll(sampler.inputs(kind, choices, chosen));
            return program(kind).call(inputs.toArray(Tensor[]::new)).getFirst();
        }));
        try (Tensor result = enqueued) {
            CompletableFuture<HostTensor> fetched = result.fetch();
            return fetched.thenApply(values -> kind.hasLogprobs()
                    ? StepResult.ofRows(values, choices.size())
                    : StepResult.ofTokens(values, choices.size()));
        }
    }

    /** Returns the smallest size that has room for {@code count}. */
    private static int sizeFor(int count) {
        return IntStream.of(SIZES)
                .filter(size -> size >= count)
                .findFirst()
                .orElseGet(() -> Math.ceilDiv(count, 256) * 256);
    }

    private static int widthFor(int count) {
        int width = MIN_BLOCKS;
        while (width < count) {
            width *= 4;
        }
        return width;
    }

    private Program program(RowSampler.Kind kind) {
        return programs.computeIfAbsent(
                kind, wanted -> machine.program(inputs -> GradMode.noGrad(() -> List.of(step(wanted, inputs)))));
    }

    private Tensor step(RowSampler.Kind kind, List<Tensor> inputs) {
        Tensor given = inputs.get(0);
        Tensor slot = given.select(0, 1);
        Tensor token = given.select(0, 0);
        Tensor ids = Tensors.where(token.ge(0), token, latest.indexSelect(0, slot));
        Tensor table = inputs.get(1).indexSelect(0, slot);
        KeyValues past = pool.at(table, given.select(0, 2).reshape(-1, 1));
        Tensor chosenRows = inputs.get(2);
        Tensor slotOfChoice = slot.indexSelect(0, chosenRows);
        Tensor hidden = adapted(inputs, slot, () -> decoder.hidden(ids.reshape(-1, 1), past));
        Tensor scores = adapted(
                        inputs,
                        slotOfChoice,
                        () -> decoder.logits(hidden.reshape(-1, hidden.size(-1)).indexSelect(0, chosenRows)))
                .to(DType.FLOAT32);
        int first = adapters == null ? 3 : 4;
        Tensor next = sampler.next(kind, scores, slotOfChoice, inputs.subList(first, inputs.size()));
        latest.indexCopy_(0, slotOfChoice, next);
        return kind.hasLogprobs() ? withLogprobs(scores, next) : next;
    }

    private Tensor adapted(List<Tensor> inputs, Tensor slotOfRow, Supplier<Tensor> call) {
        return adapters == null ? call.get() : adapters.with(inputs.get(3).indexSelect(0, slotOfRow), call);
    }

    private Tensor withLogprobs(Tensor scores, Tensor next) {
        Tensor logprobs = scores.logSoftmax(-1);
        int likeliest = Math.min(StepResult.LIKELIEST, decoder.vocabulary());
        ValuesAndIndices best = logprobs.topk(likeliest, -1, true, true);
        Tensor chosen = next.unsqueeze(-1);
        return Tensors.cat(
                List.of(
                        chosen.to(DType.FLOAT32),
                        logprobs.gather(-1, chosen),
                        best.indices().to(DType.FLOAT32),
                        best.values()),
                -1);
    }

    /** Releases the pool and the programs, but not the model. */
    @Override
    public void close() {
        programs.values().forEach(Program::close);
        latest.close();
        sampler.close();
        pool.close();
        if (adapters != null) {
            adapters.close();
        }
    }
}
